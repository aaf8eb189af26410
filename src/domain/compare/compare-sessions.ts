import type { AgentContexts } from "../context/agent-contexts.js";
import type { ContextItem } from "../context/context-item.js";
import type { SessionKey } from "../session/session-key.js";
import { MOST_LISTED, type ModelCall, type SessionSteps } from "../steps/session-steps.js";
import type { SessionAnalysis } from "../summary/session-analysis.js";
import {
  countsOf,
  type RatesOfCall,
  ratesOfCalls,
  totalOf,
  totalsByModel,
} from "../summary/summarise-calls.js";
import { contextCurve } from "../summary/summarise-contexts.js";
import { spanOf } from "../summary/summarise-session.js";
import type { CallRates } from "../usage/call-prices.js";
import type { ComparedFile, ComparedSession, ComparedTool, DifferenceKind } from "./session-comparison.js";
import { comparedSteps, type HashedStep } from "./step-pairing.js";

interface ComparedInput {
  readonly key: SessionKey;
  readonly analysis: SessionAnalysis;
  readonly rates: CallRates;
}

export interface ComparedSessions {
  readonly sessions: readonly [ComparedSession, ComparedSession];
  readonly tools: readonly ComparedTool[];
  readonly files: readonly ComparedFile[];
  readonly difference: ItemDifference | undefined;
  readonly stepIds: readonly [string | undefined, string | undefined];
  readonly hashes: readonly [number[], number[]];
  readonly steps: readonly [readonly HashedStep[], readonly HashedStep[]];
}

export function* compareSessions(a: ComparedInput, b: ComparedInput): Generator<void, ComparedSessions> {
  const read = [yield* readSession(a), yield* readSession(b)] as const;
  const difference = firstDifference(read[0].items, read[1].items);
  yield;
  const sides = [
    sideOf(read[0], difference, difference?.items[0]),
    sideOf(read[1], difference, difference?.items[1]),
  ] as const;
  return {
    sessions: [sides[0].session, sides[1].session],
    tools: comparedTools(read[0].steps, read[1].steps),
    files: comparedFiles(read[0].steps, read[1].steps),
    difference,
    stepIds: [sides[0].stepId, sides[1].stepId],
    hashes: [hashesOf(read[0].items), hashesOf(read[1].items)],
    steps: [yield* stepsOf(read[0]), yield* stepsOf(read[1])],
  };
}

function stepsOf({ input: { analysis }, steps, contexts, items, ratesOf }: ReadSession) {
  return comparedSteps({
    items,
    messages: analysis.conversation(""),
    steps,
    contexts: contexts.find(({ agentId }) => agentId === ""),
    ratesOf,
    comparableText: analysis.reading.comparableText,
  });
}

interface ReadSession {
  readonly input: ComparedInput;
  readonly steps: SessionSteps;
  readonly contexts: readonly AgentContexts[];
  readonly items: readonly ContextItem[];
  readonly ratesOf: RatesOfCall;
}

function* readSession(input: ComparedInput): Generator<void, ReadSession> {
  const steps = yield* input.analysis.steps();
  const contexts = yield* input.analysis.contexts();
  const conversation = input.analysis.conversation("").flatMap(({ items }) => items);
  const own = contexts.find(({ agentId }) => agentId === "");
  const items = comparedItems(conversation.length > 0 || own === undefined ? conversation : lastContext(own));
  return { input, steps, contexts, items, ratesOf: ratesOfCalls(steps, input.rates) };
}

function lastContext({ items, contexts }: AgentContexts): readonly ContextItem[] {
  return (contexts.at(-1)?.runs ?? []).flatMap(([from, to]) => items.slice(from, to));
}

function sideOf(
  { input, steps, contexts, ratesOf }: ReadSession,
  difference: ItemDifference | undefined,
  item: ContextItem | undefined,
): { readonly session: ComparedSession; readonly stepId: string | undefined } {
  const own = contexts.filter(({ agentId }) => agentId === "");
  const first = difference && firstCallOf(own[0], item);
  const tool =
    item === undefined || item.toolCallId === ""
      ? undefined
      : steps.tools.find(({ toolCallId }) => toolCallId === item.toolCallId);
  const later = first && steps.calls.filter(({ at }) => at >= first.at);
  const session = {
    ...input.key,
    ...spanOf(steps),
    ms: steps.to - steps.from,
    counts: countsOf(steps),
    total: totalOf(steps.calls, ratesOf),
    models: totalsByModel(steps, ratesOf),
    curve: contextCurve(steps, own).map((point) => ({ ...point, ms: Date.parse(point.at) - steps.from })),
    ...(later === undefined
      ? {}
      : { fromDifference: { ms: steps.to - first!.at, total: totalOf(later, ratesOf) } }),
  };
  return { session, stepId: tool?.stepId ?? first?.stepId };
}

/** The call that wrote the item, or the first one with it in its context; the last call if the conversation has ended. */
function firstCallOf(agent: AgentContexts | undefined, item: ContextItem | undefined): ModelCall | undefined {
  if (agent === undefined || item === undefined) return undefined;
  const { items, contexts } = agent;
  const last = ([, to]: readonly [number, number]) => items[to - 1]!.messageIndex;
  const sees = contexts.findIndex(({ runs }) => runs.some((run) => last(run) >= item.messageIndex));
  if (item.origin !== "assistant") return contexts[sees]?.call;
  return (sees === -1 ? contexts.at(-1) : contexts[sees - 1])?.call;
}

function comparedTools(a: SessionSteps, b: SessionSteps): readonly ComparedTool[] {
  const tools = new Map<string, { calls: [number, number]; failed: [number, number] }>();
  for (const [side, steps] of [a, b].entries()) {
    for (const { name, error, isRefused } of steps.tools) {
      const tool = tools.get(name) ?? { calls: [0, 0], failed: [0, 0] };
      tools.set(name, tool);
      tool.calls[side]!++;
      if (error !== undefined && !isRefused) tool.failed[side]!++;
    }
  }
  return mostCalled([...tools].map(([name, tool]) => ({ name, ...tool })));
}

function comparedFiles(a: SessionSteps, b: SessionSteps): readonly ComparedFile[] {
  const files = new Map<string, [number, number]>();
  for (const [side, steps] of [a, b].entries()) {
    for (const { paths, subject } of steps.tools) {
      for (const path of paths.length === 1 ? [subject || paths[0]!] : paths) {
        const calls = files.get(path) ?? [0, 0];
        files.set(path, calls);
        calls[side]!++;
      }
    }
  }
  return mostCalled([...files].map(([path, calls]) => ({ path, calls })));
}

function mostCalled<T extends { readonly calls: readonly [number, number] }>(
  all: readonly T[],
): readonly T[] {
  const called = ({ calls: [a, b] }: T) => a + b;
  return all.toSorted((a, b) => called(b) - called(a)).slice(0, MOST_LISTED);
}

function hashesOf(items: readonly ContextItem[]): number[] {
  return items.map(({ hash }) => hash);
}

export interface ItemDifference {
  readonly kind: DifferenceKind;
  readonly at: number;
  /** `undefined` for a conversation that has ended. */
  readonly items: readonly [ContextItem | undefined, ContextItem | undefined];
}

/** Without thoughts, because only some tools record them. */
export function comparedItems(items: readonly ContextItem[]): readonly ContextItem[] {
  return items.filter(({ part, text }) => part !== "thinking" && (part !== "text" || text !== ""));
}

/** `undefined` for equal conversations. Ids, instants and shapes do not count. */
export function firstDifference(
  a: readonly ContextItem[],
  b: readonly ContextItem[],
): ItemDifference | undefined {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a[at]!.hash === b[at]!.hash) at++;
  if (at === a.length && at === b.length) return undefined;
  const items = [a[at], b[at]] as const;
  return { kind: kindOf(items, a, b), at, items };
}

function kindOf(
  [one, other]: ItemDifference["items"],
  a: readonly ContextItem[],
  b: readonly ContextItem[],
): DifferenceKind {
  if (one === undefined || other === undefined) return "end";
  if (a.length === b.length && areSameSets(a, b)) return "order";
  if (one.part === "call" && other.part === "call" && one.toolName === other.toolName) return "argument";
  return one.part === "result" && other.part === "result" ? "result" : "message";
}

function areSameSets(a: readonly ContextItem[], b: readonly ContextItem[]): boolean {
  const sorted = (items: readonly ContextItem[]) => Float64Array.from(items, ({ hash }) => hash).sort();
  const others = sorted(b);
  return sorted(a).every((hash, i) => hash === others[i]);
}

export interface CutText {
  readonly text: string;
  readonly cutBefore: number;
  readonly cutBehind: number;
}

const MOST_CHARACTERS = 4_000;
const CHARACTERS_BEFORE = 500;

export function cutAtDifference(a: string, b: string): readonly [CutText, CutText] {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  const longest = Math.max(a.length, b.length);
  const from = longest <= MOST_CHARACTERS ? 0 : Math.max(0, same - CHARACTERS_BEFORE);
  return [cutFrom(a, from), cutFrom(b, from)];
}

function cutFrom(text: string, at: number): CutText {
  const from = isLowSurrogate(text, at) ? at - 1 : at;
  const end = from + MOST_CHARACTERS;
  const to = isLowSurrogate(text, end) ? end - 1 : end;
  return { text: text.slice(from, to), cutBefore: from, cutBehind: Math.max(0, text.length - to) };
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}
