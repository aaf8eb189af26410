import { estimateTokens } from "../usage/token-counts.js";
import type { MessageOrigin, MessageOutline, ReadMessage } from "./conversation.js";

/** One model call of the main agent, and the part of the history that it saw. */
export interface ContextCall {
  /** Counted from 0. */
  readonly index: number;
  /** The context is the leading system messages and the messages from `from` up to, but without, `to`. */
  readonly from: number;
  readonly to: number;
  /** The messages of the answer end before this one. */
  readonly answerEnd: number;
  readonly answerId: string | undefined;
  /** The context was compacted since the call before. */
  readonly compacted: boolean;
}

/** System messages at the head of the history: every call sees them, also after a compaction. */
export function leadingSystemMessages(messages: readonly MessageOutline[]): number {
  const first = messages.findIndex(({ origin }) => origin !== "system");
  return first === -1 ? messages.length : first;
}

/**
 * The model calls that a history shows. An answer may be several messages in a row: those that share an id, or, without
 * ids, each on its own. What a call saw is everything before its answer, back to the last compaction's summary.
 */
export function contextCalls(messages: readonly MessageOutline[]): ContextCall[] {
  const calls: ContextCall[] = [];
  let from = leadingSystemMessages(messages);
  let compacted = false;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.origin === "summary" && at > from) {
      from = at;
      compacted = true;
    }
    if (message.origin !== "assistant") continue;
    const end = answerEnd(messages, at);
    // Some writers store a tool's result between two pieces of one answer; the pieces are still one call.
    const before = calls.at(-1);
    if (
      before !== undefined &&
      before.answerId !== undefined &&
      before.answerId === message.answerId &&
      !compacted
    ) {
      calls[calls.length - 1] = { ...before, answerEnd: end };
    } else {
      calls.push({
        index: calls.length,
        from,
        to: at,
        answerEnd: end,
        answerId: message.answerId,
        compacted,
      });
      compacted = false;
    }
    at = end - 1;
  }
  return calls;
}

function answerEnd(messages: readonly MessageOutline[], from: number): number {
  const first = messages[from]!;
  const goesOn = (next: MessageOutline | undefined) =>
    next?.origin === "assistant" &&
    (first.isItem ? next.isItem : first.answerId !== undefined && next.answerId === first.answerId);
  let end = from + 1;
  while (goesOn(messages[end])) end++;
  return end;
}

/** What a call saw. A compaction that says word for word what it left is all that there was before it. */
export function contextOf(
  messages: readonly ReadMessage[],
  { from, to }: ContextCall,
): readonly ReadMessage[] {
  const replacement = messages[from]?.replacement;
  return replacement === undefined
    ? [...messages.slice(0, leadingSystemMessages(messages)), ...messages.slice(from, to)]
    : [...replacement, ...messages.slice(from + 1, to)];
}

/** How many messages that are. */
export function contextLength(messages: readonly MessageOutline[], { from, to }: ContextCall): number {
  const replacement = messages[from]?.replacement;
  return to - from + (replacement === undefined ? leadingSystemMessages(messages) : replacement.length - 1);
}

/** Estimated tokens by origin. */
export type ContextSizes = { readonly [origin in MessageOrigin]: number };

/** The sizes of each call's context. One pass: each call adds what is new since the call before. */
export function contextSizes(
  messages: readonly MessageOutline[],
  calls: readonly ContextCall[],
): readonly ContextSizes[] {
  const systemMessages = leadingSystemMessages(messages);
  let sizes = sizesOf(messages, 0, systemMessages);
  const base = sizes;
  let from = systemMessages;
  let to = systemMessages;
  return calls.map((call) => {
    if (call.from !== from) {
      const replacement = messages[call.from]?.replacement;
      sizes = replacement === undefined ? base : sizesOf(replacement);
      from = call.from;
      to = replacement === undefined ? call.from : call.from + 1;
    }
    sizes = plus(sizes, sizesOf(messages, to, call.to));
    to = call.to;
    return sizes;
  });
}

export function sizesOf(messages: readonly MessageOutline[], from = 0, to = messages.length): ContextSizes {
  const sizes = { user: 0, assistant: 0, tool: 0, system: 0, summary: 0 };
  for (let at = from; at < to; at++) sizes[messages[at]!.origin] += estimateTokens(messages[at]!.size);
  return sizes;
}

function plus(a: ContextSizes, b: ContextSizes): ContextSizes {
  return {
    user: a.user + b.user,
    assistant: a.assistant + b.assistant,
    tool: a.tool + b.tool,
    system: a.system + b.system,
    summary: a.summary + b.summary,
  };
}

export function scaledSizes(sizes: ContextSizes, scale: number): ContextSizes {
  return {
    user: sizes.user * scale,
    assistant: sizes.assistant * scale,
    tool: sizes.tool * scale,
    system: sizes.system * scale,
    summary: sizes.summary * scale,
  };
}

export function sumSizes(sizes: ContextSizes): number {
  return sizes.user + sizes.assistant + sizes.tool + sizes.system + sizes.summary;
}

/** A model call of the main agent, as the trace records it. */
export interface TracedCall {
  readonly spanId: string;
  readonly at: number;
  /** What it read, as the vendor counted it. */
  readonly tokens: number | undefined;
  readonly messageId: string | undefined;
}

/** A model call, and what is known of it: its place in the history, its span in the trace, or both. */
export interface KnownCall<T extends TracedCall> {
  readonly call: ContextCall | undefined;
  readonly traced: T | undefined;
}

/**
 * The calls of which it is known what they saw: those of the history, and those of the trace on which it is `isRecorded`, in the
 * order of the trace.
 */
export function knownCalls<T extends TracedCall>(
  calls: readonly ContextCall[],
  traced: readonly T[],
  isRecorded: (call: T) => boolean,
): { readonly known: readonly KnownCall<T>[]; readonly unseen: number } {
  const matches = alignCalls(calls, traced);
  const matched = new Set(matches);
  const known: KnownCall<T>[] = [];
  const unseen: T[] = [];
  let next = 0;
  const passTo = (end: number) => {
    for (; next < end; next++) {
      const one = traced[next]!;
      if (matched.has(one)) continue;
      if (isRecorded(one)) known.push({ call: undefined, traced: one });
      else unseen.push(one);
    }
  };
  for (const [place, call] of calls.entries()) {
    const match = matches[place];
    if (match !== undefined) passTo(traced.indexOf(match, next));
    known.push({ call, traced: match });
  }
  passTo(traced.length);
  return { known, unseen: unseen.length };
}

/**
 * Finds each call of the history in the trace: by the id of its answer where both know it, else counted from the end,
 * because a compaction may have removed the beginning of the history.
 */
function alignCalls<T extends TracedCall>(
  calls: readonly ContextCall[],
  traced: readonly T[],
): readonly (T | undefined)[] {
  const byId = new Map(
    traced.flatMap((call) => (call.messageId === undefined ? [] : [[call.messageId, call] as const])),
  );
  const known = calls.some(({ answerId }) => answerId !== undefined && byId.has(answerId));
  const shift = traced.length - calls.length;
  return calls.map(({ answerId }, place) =>
    known ? (answerId === undefined ? undefined : byId.get(answerId)) : traced[place + shift],
  );
}
