import { estimateTokens } from "../usage/token-counts.js";
import type { ContextCall } from "./context-calls.js";
import type { MessageOrigin, MessageOutline, ReadMessage } from "./conversation.js";
import { CLEARED_RESULT, type MessageRun } from "./conversation-outline.js";

/** Returns the context of a call. The verbatim replacement of a compaction is part of it. */
export function contextOf(
  messages: readonly ReadMessage[],
  { visible, to, cleared }: ContextCall,
): readonly ReadMessage[] {
  const visited: ReadMessage[] = [];
  for (const message of messagesIn(messages, visible, 0, to)) {
    if (message.replacement === undefined) visited.push(withoutResults(message, cleared));
    else for (const one of message.replacement) visited.push(one);
  }
  return visited;
}

/** Returns a message with its cleared results replaced; the message itself if it has none. */
export function withoutResults(message: ReadMessage, cleared: ReadonlySet<string>): ReadMessage {
  if (cleared.size === 0 || !message.results.some(({ callId }) => cleared.has(callId))) return message;
  return {
    ...message,
    size: sizeWithout(message, cleared),
    parts: message.parts.map((part) =>
      part.type === "result" && cleared.has(part.callId)
        ? { ...part, text: CLEARED_RESULT, images: [] }
        : part,
    ),
  };
}

function sizeWithout({ size, results }: MessageOutline, cleared: ReadonlySet<string>): number {
  if (cleared.size === 0) return size;
  return results.reduce(
    (sum, result) => (cleared.has(result.callId) ? sum - result.size + CLEARED_RESULT.length : sum),
    size,
  );
}

/** The messages between two places that lie in some runs. */
function* messagesIn<Message>(
  messages: readonly Message[],
  visible: readonly MessageRun[],
  from: number,
  to: number,
): Generator<Message, void> {
  for (const [first, end] of visible) {
    for (let at = Math.max(first, from); at < Math.min(end, to); at++) yield messages[at]!;
  }
}

/**
 * Number of messages in each call's context: each call adds the messages since the previous call, unless something was removed in
 * between.
 */
export function contextLengths(
  messages: readonly MessageOutline[],
  calls: readonly ContextCall[],
): readonly number[] {
  let length = 0;
  let before: ContextCall | undefined;
  return calls.map((call) => {
    const goesOn = before?.visible === call.visible;
    if (!goesOn) length = 0;
    for (const { replacement } of messagesIn(messages, call.visible, goesOn ? before!.to : 0, call.to))
      length += replacement?.length ?? 1;
    before = call;
    return length;
  });
}

/** Estimated tokens by origin. */
export type ContextSizes = { readonly [origin in MessageOrigin]: number };

/** The sizes of each call's context: each call adds what is new since the call before, where nothing was taken away in between. */
export function contextSizes(
  messages: readonly MessageOutline[],
  calls: readonly ContextCall[],
): readonly ContextSizes[] {
  let sizes = NO_SIZES;
  let before: ContextCall | undefined;
  return calls.map((call) => {
    const { visible, cleared, to } = call;
    const goesOn = before?.visible === visible && before.cleared === cleared;
    const more = { ...NO_SIZES };
    for (const message of messagesIn(messages, visible, goesOn ? before!.to : 0, to)) {
      for (const one of message.replacement ?? [message]) addSize(more, one, cleared);
    }
    sizes = goesOn ? plus(sizes, more) : more;
    before = call;
    return sizes;
  });
}

const NO_SIZES = { user: 0, assistant: 0, tool: 0, system: 0, summary: 0 };

export function sizesOf(messages: readonly MessageOutline[]): ContextSizes {
  const sizes = { ...NO_SIZES };
  for (const message of messages) addSize(sizes, message, new Set());
  return sizes;
}

/** The results in an answer are the tools' part of it. */
function addSize(
  sizes: { [origin in MessageOrigin]: number },
  message: MessageOutline,
  cleared: ReadonlySet<string>,
): void {
  const { origin, results } = message;
  const resultSize = results.reduce((sum, { size }) => sum + size, 0);
  const size = origin === "assistant" ? message.size - resultSize : 0;
  sizes[origin] += estimateTokens(size);
  sizes[origin === "assistant" ? "tool" : origin] += estimateTokens(sizeWithout(message, cleared) - size);
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
