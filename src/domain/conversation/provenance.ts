import { previewText } from "../text/preview-text.js";
import { callSubject } from "../text/subject.js";
import { compareContexts } from "./compare-contexts.js";
import type { ReadMessage } from "./conversation.js";
import { type ContextRemoval, isCompaction } from "./conversation-outline.js";
import type { MessagePart } from "./message-part.js";

export interface Contexts {
  readonly count: number;
  /** A message that is the same in two calls is the same object, if this was detected. */
  contextOf(call: number): readonly ReadMessage[];
  removalsBefore(call: number): readonly ContextRemoval[];
  /** All messages, even those that no context contains; empty without a recorded conversation. */
  readonly messages: readonly ReadMessage[];
  /** True if the first words come from the agent that spawned this one. */
  readonly isSubAgent: boolean;
}

export interface ToolUse {
  readonly toolCallId: string;
  readonly name: string;
  readonly paths: readonly string[];
  /** Rest of the subject, in one line: a command, a query. */
  readonly text: string;
}

export type Source =
  | { readonly by: "tool"; readonly uses: readonly ToolUse[] }
  | { readonly by: "person" | "parent" | "model" | "system" | "compaction" };

export interface Repetition extends ToolUse {
  readonly same: "input" | "file";
}

export interface Provenance {
  readonly source: Source;
  readonly firstContext: number;
  readonly rewrittenAt: readonly number[];
  /** First call without it; absent if the last call has it. */
  readonly dropped?: DroppedMessage;
  /** The first ones; `moreRepetitions` counts the others. */
  readonly repetitions: readonly Repetition[];
  readonly moreRepetitions: number;
}

export interface DroppedMessage {
  readonly at: number;
  readonly byCompaction: boolean;
  readonly removal?: Pick<ContextRemoval, "cause" | "timestamp">;
}

const MOST_REPETITIONS = 10;
const MOST_OF_TEXT = 80;

/**
 * Follows a message from call to call, in both directions, to its origin and its removal.
 *
 * @param call a call with the message in its context
 * @returns `undefined` if the call's context does not have it
 */
export function provenanceOf(contexts: Contexts, call: number, message: ReadMessage): Provenance | undefined {
  if (!contexts.contextOf(call).some(({ index }) => index === message.index)) return undefined;
  const before = followBack(contexts, call, message);
  const after = followOn(contexts, call, message);
  const repetitions = repetitionsOf(contexts, message);
  return {
    source: sourceOf(contexts, before.first),
    firstContext: before.at,
    rewrittenAt: [...before.rewrittenAt, ...after.rewrittenAt],
    ...(after.dropped === undefined ? {} : { dropped: after.dropped }),
    repetitions: repetitions.slice(0, MOST_REPETITIONS),
    moreRepetitions: Math.max(0, repetitions.length - MOST_REPETITIONS),
  };
}

function followBack(contexts: Contexts, call: number, message: ReadMessage) {
  const rewrittenAt: number[] = [];
  let first = message;
  let at = call;
  for (; at > 0; at--) {
    const step = stepBetween(contexts, at - 1, ({ after }) => after?.index === first.index, first);
    if (step?.before === undefined) break;
    if (step.isRewritten) rewrittenAt.unshift(at);
    first = step.before;
  }
  return { first, at, rewrittenAt };
}

function followOn(contexts: Contexts, call: number, message: ReadMessage) {
  const rewrittenAt: number[] = [];
  let last = message;
  for (let at = call + 1; at < contexts.count; at++) {
    const step = stepBetween(contexts, at - 1, ({ before }) => before?.index === last.index, last);
    if (step?.after === undefined) {
      return { rewrittenAt, dropped: dropOf(contexts, at, last) };
    }
    if (step.isRewritten) rewrittenAt.push(at);
    last = step.after;
  }
  return { rewrittenAt, dropped: undefined };
}

interface Step {
  readonly before: ReadMessage | undefined;
  readonly after: ReadMessage | undefined;
  readonly isRewritten: boolean;
}

function stepBetween(
  contexts: Contexts,
  from: number,
  isIt: (row: Pick<Step, "before" | "after">) => boolean,
  message: ReadMessage,
): Step | undefined {
  const [base, next] = [contexts.contextOf(from), contexts.contextOf(from + 1)];
  if (base.includes(message) && next.includes(message)) {
    return { before: message, after: message, isRewritten: false };
  }
  const row = compareContexts(base, next).find(isIt);
  return row && { before: row.before, after: row.after, isRewritten: row.change === "rewritten" };
}

function dropOf(contexts: Contexts, at: number, { index }: ReadMessage): DroppedMessage {
  const removals = contexts.removalsBefore(at);
  const holds = ({ messages }: ContextRemoval) =>
    messages.some(([from, to]) => Math.floor(index) >= from && index < to);
  const removal = removals.find(holds) ?? removals[0];
  if (removal === undefined) return { at, byCompaction: hasNewSummary(contexts, at) };
  const { cause, timestamp } = removal;
  return {
    at,
    byCompaction: isCompaction(removal),
    removal: timestamp === undefined ? { cause } : { cause, timestamp },
  };
}

/** In recorded contexts, a new summary also shows a compaction. */
function hasNewSummary(contexts: Contexts, at: number): boolean {
  const summaries = (call: number) =>
    contexts.contextOf(call).filter(({ origin }) => origin === "summary").length;
  return summaries(at) > summaries(at - 1);
}

/**
 * From one call's context alone.
 * @param context the complete context; the messages need only their tool calls
 */
export function sourceInContext(
  context: readonly ReadMessage[],
  isSubAgent: boolean,
  message: ReadMessage,
): Source {
  const contextOf = () => context;
  return sourceOf({ count: 1, messages: context, isSubAgent, removalsBefore: () => [], contextOf }, message);
}

function sourceOf(contexts: Contexts, message: ReadMessage): Source {
  switch (message.origin) {
    case "tool":
      return { by: "tool", uses: usesOf(contexts, message) };
    case "assistant":
      return { by: "model" };
    case "summary":
      return { by: "compaction" };
    case "system":
      return { by: "system" };
    case "user":
      return { by: contexts.isSubAgent && isOpening(contexts, message) ? "parent" : "person" };
    default:
      message.origin satisfies never;
      return { by: "system" };
  }
}

function isOpening(contexts: Contexts, message: ReadMessage): boolean {
  const { messages } = contexts;
  const all = messages.length > 0 ? messages : contexts.contextOf(0);
  for (const { index, origin } of all) {
    if (index === message.index) return true;
    if (origin === "assistant") return false;
  }
  return false;
}

type CallPart = Extract<MessagePart, { type: "call" }>;

function usesOf(contexts: Contexts, message: ReadMessage): ToolUse[] {
  const ids = new Set(message.parts.flatMap((part) => (part.type === "result" ? [part.callId] : [])));
  return callsIn(contexts)
    .filter(({ callId }) => ids.has(callId))
    .map(useOf);
}

function callsIn(contexts: Contexts): CallPart[] {
  const { messages, count } = contexts;
  const all = messages.length > 0 ? messages : contexts.contextOf(count - 1);
  return all.flatMap(({ parts }) => parts.filter((part) => part.type === "call"));
}

function useOf({ callId, name, input }: CallPart): ToolUse {
  const { paths, text } = callSubject(input, () => "");
  return { toolCallId: callId, name, paths, text: previewText(text, MOST_OF_TEXT) };
}

function repetitionsOf(contexts: Contexts, message: ReadMessage): Repetition[] {
  const calls = callsIn(contexts);
  const ids = new Set(message.parts.flatMap((part) => (part.type === "result" ? [part.callId] : [])));
  const last = calls.findLastIndex(({ callId }) => ids.has(callId));
  if (last === -1) return [];
  const provided = calls.filter(({ callId }) => ids.has(callId));
  return calls.slice(last + 1).flatMap((later) => {
    const same = provided.map((first) => sameness(first, later)).find((one) => one !== undefined);
    return same === undefined ? [] : [{ ...useOf(later), same }];
  });
}

function sameness(first: CallPart, later: CallPart): Repetition["same"] | undefined {
  if (first.name !== later.name) return undefined;
  if (JSON.stringify(first.input) === JSON.stringify(later.input)) return "input";
  const [path] = useOf(first).paths;
  return path !== undefined && useOf(later).paths[0] === path ? "file" : undefined;
}
