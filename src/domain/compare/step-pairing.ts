import type { AgentContexts } from "../context/agent-contexts.js";
import type { ContextItem, ItemisedMessage } from "../context/context-item.js";
import { firstWhere } from "../lists/lists.js";
import type { ModelCall, SessionSteps, ToolCall } from "../steps/session-steps.js";
import type { RatesOfCall } from "../summary/summarise-calls.js";
import { hash53 } from "../text/fingerprints.js";
import type { ComparedStep, StepKind } from "./step-comparison.js";
import { type PlacedStep, usedBySteps } from "./step-use.js";

/** A step, and what it has to have in common with one of another session. Equal numbers stand for what is equal. */
export interface HashedStep {
  readonly step: ComparedStep;
  /** All that it says. */
  readonly all: number;
  /** Hash of the text, or of a tool's input. */
  readonly textHash: number;
  /** Hash of the subject: a tool and its file, its command, its query. */
  readonly about: number;
  /** Hash of the kind: an answer, a call of a certain tool. */
  readonly kind: number;
}

export interface SteppedSession {
  /** The compared items of the conversation. */
  readonly items: readonly ContextItem[];
  readonly messages: readonly ItemisedMessage[];
  readonly steps: SessionSteps;
  /** Of the main agent. Absent if the contexts of its calls are unknown. */
  readonly contexts: AgentContexts | undefined;
  readonly ratesOf: RatesOfCall;
  /** A text without what differs from run to run. */
  readonly comparableText: (text: string) => string;
}

/** The steps of a main agent, in conversation order: each text, and each tool call with its result. */
export function* comparedSteps(session: SteppedSession): Generator<void, readonly HashedStep[]> {
  const { items, steps, comparableText } = session;
  const results = resultsOfCalls(items);
  const own = steps.tools.filter(({ agentId, toolCallId }) => agentId === "" && toolCallId !== "");
  const tools = new Map(own.map((tool) => [tool.toolCallId, tool]));
  const calls = new CallsOfItems(session);
  yield;
  const placed: PlacedItem[] = [];
  for (const item of items) {
    if (item.part === "result" && results.get(item.toolCallId) === item) continue;
    const tool = item.part === "call" ? tools.get(item.toolCallId) : undefined;
    placed.push({ item, tool, call: calls.callOf(item, tool), isSpoken: item.origin === "assistant" });
  }
  yield;
  const used = usedBySteps(steps, placed, session.ratesOf);
  yield;
  const matches: HashedStep[] = [];
  for (const [index, place] of placed.entries()) {
    const { item, tool } = place;
    const result = item.part === "call" ? results.get(item.toolCallId) : undefined;
    const text = item.part === "call" ? item.text.slice(item.toolName.length).trimStart() : item.text;
    const subject = tool === undefined ? text : tool.subject || tool.paths.join(" ") || text;
    const kind = kindOf(item);
    matches.push({
      step: { index, kind, text, ...itemFacts(place, kind), ...resultOf(result), ...used[index]! },
      all: result === undefined ? item.hash : hash53(`${item.hash} ${result.hash}`),
      textHash: item.hash,
      about: hash53(`${kind}\n${item.toolName}\n${comparableText(subject)}`),
      kind: hash53(`${kind}\n${item.toolName}`),
    });
    yield;
  }
  return matches;
}

interface PlacedItem extends PlacedStep {
  readonly item: ContextItem;
}

/** The first result of each call that is there, too. */
function resultsOfCalls(items: readonly ContextItem[]): ReadonlyMap<string, ContextItem> {
  const called = new Set(items.flatMap(({ part, toolCallId }) => (part === "call" ? [toolCallId] : [])));
  const results = new Map<string, ContextItem>();
  for (const item of items) {
    const { part, toolCallId } = item;
    if (part === "result" && toolCallId !== "" && called.has(toolCallId) && !results.has(toolCallId))
      results.set(toolCallId, item);
  }
  return results;
}

function kindOf({ part, origin }: ContextItem): StepKind {
  if (part === "call") return "tool";
  if (part === "result" || origin === "tool") return "result";
  if (origin === "user") return "prompt";
  return origin === "assistant" ? "answer" : origin;
}

function itemFacts({ item, tool, call }: PlacedItem, kind: StepKind): Partial<ComparedStep> {
  const stepId = tool?.stepId ?? (kind === "prompt" ? call?.turnId : undefined) ?? call?.stepId;
  const at = tool?.at ?? call?.at;
  const isInConversation = Number.isInteger(item.messageIndex) && item.messageIndex >= 0;
  return {
    ...(item.part === "call" ? { toolName: item.toolName } : {}),
    ...(tool?.error === undefined ? {} : { error: tool.error }),
    ...(isInConversation ? { messageIndex: item.messageIndex } : {}),
    ...(stepId === undefined ? {} : { stepId }),
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
  };
}

function resultOf(result: ContextItem | undefined): Pick<ComparedStep, "result"> {
  return result === undefined ? {} : { result: result.text };
}

/** Maps a part of a conversation to the model call that wrote it, or that first had it in its context. */
class CallsOfItems {
  readonly #byId: ReadonlyMap<string, ModelCall>;
  readonly #byAnswer: ReadonlyMap<string, ModelCall>;
  readonly #answerIds: ReadonlyMap<number, string | undefined>;
  /** The last message that each call saw, of those that saw more than the one before. */
  readonly #contextEnds: { readonly call: ModelCall; readonly last: number }[] = [];

  constructor({ steps, messages, contexts }: SteppedSession) {
    const own = steps.calls.filter(({ agentId }) => agentId === "");
    this.#byId = new Map(own.map((call) => [call.stepId, call]));
    this.#byAnswer = new Map(own.map((call) => [call.messageId ?? "", call]));
    this.#answerIds = new Map(messages.map(({ index, answerId }) => [index, answerId]));
    for (const { call, runs } of contexts?.contexts ?? []) {
      const last = runs.reduce((most, [, to]) => Math.max(most, contexts!.items[to - 1]!.messageIndex), -1);
      if (last > (this.#contextEnds.at(-1)?.last ?? -1)) this.#contextEnds.push({ call, last });
    }
  }

  callOf({ messageIndex, origin }: ContextItem, tool: ToolCall | undefined): ModelCall | undefined {
    if (tool?.modelCallId !== undefined) return this.#byId.get(tool.modelCallId);
    const answer = this.#byAnswer.get(this.#answerIds.get(messageIndex) || "-");
    if (answer !== undefined) return answer;
    if (messageIndex < 0) return undefined;
    const at = firstWhere(0, this.#contextEnds.length, (i) => this.#contextEnds[i]!.last >= messageIndex);
    return this.#contextEnds[origin === "assistant" ? at - 1 : at]?.call;
  }
}
