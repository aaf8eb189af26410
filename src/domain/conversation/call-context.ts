import { estimateTokens } from "../usage/token-counts.js";
import { messageText } from "./compare-contexts.js";
import { contextCalls } from "./context-calls.js";
import type { MessageOrigin, ReadMessage } from "./conversation.js";
import type { ConversationOutline } from "./conversation-outline.js";
import { knownCalls, type TracedCall } from "./known-calls.js";
import { contextOf } from "./seen-messages.js";

/** A message that a model call was given. */
export interface SeenMessage {
  /** Its place in the conversation, or among what is recorded on the call. */
  readonly index: number;
  /** Of a compaction that says word for word what it left: which of these messages it is, from 0. */
  readonly item?: number;
  /** As it is stored. */
  readonly role: string;
  readonly origin: MessageOrigin;
  /** Estimated at four characters each. */
  readonly tokens: number;
  /** Its beginning: at most {@link MAX_SEEN_TEXT} UTF-16 code units. */
  readonly text: string;
  /** How long the whole text is, in UTF-16 code units. */
  readonly length: number;
  /** The tool calls that it asks for or answers, by the vendor's ids. */
  readonly toolCallIds?: readonly string[];
}

/**
 * Where it is known from what a call was given: `call` where it is recorded what the call was sent, `conversation` where it is what the
 * conversation held then, `null` where neither says it.
 */
export type ContextSource = "call" | "conversation" | null;

/** What a model call was given: the first of its messages, or those behind a cursor. */
export interface CallContext {
  readonly call: {
    /** The id of the envelope that began it. */
    readonly id: string;
    readonly timestamp: string;
    /** Absent for the main agent. */
    readonly agentId?: string;
    /** What it read, as the vendor counted it. */
    readonly countedTokens?: number;
    /** How many messages it saw, and about how many tokens these are. */
    readonly size: number;
    readonly estimatedTokens: number;
    readonly source: ContextSource;
  };
  readonly messages: readonly SeenMessage[];
  readonly nextCursor: string | null;
}

export const MAX_SEEN_TEXT = 4_000;

/** @param item of a compaction's own messages: which one it is */
export function seenMessage(message: ReadMessage, item?: number): SeenMessage {
  const text = messageText(message);
  const ids = message.parts.flatMap((part) =>
    (part.type === "call" || part.type === "result") && part.callId !== "" ? [part.callId] : [],
  );
  return {
    index: Math.floor(message.index),
    ...(item === undefined ? {} : { item }),
    role: message.role,
    origin: message.origin,
    tokens: estimateTokens(message.size),
    text: beginning(text),
    length: text.length,
    ...(ids.length === 0 ? {} : { toolCallIds: [...new Set(ids)] }),
  };
}

/** No half of a surrogate pair at its end. */
function beginning(text: string): string {
  const cut = text.slice(0, MAX_SEEN_TEXT);
  return text.length > cut.length ? cut.replace(/[\uD800-\uDBFF]$/, "") : cut;
}

/** A message without its parts: all that says who saw it, and small enough to be kept of each. */
export function withoutParts(message: ReadMessage): ReadMessage {
  return { ...message, parts: [], replacement: message.replacement?.map(withoutParts) };
}

/** What a call saw of its conversation. */
export interface SeenContext {
  readonly messages: readonly ReadMessage[];
  /** The tool calls whose results it did not see. */
  readonly cleared: ReadonlySet<string>;
  /** Whether it is recorded which messages it was sent. */
  readonly isRecorded: boolean;
}

/**
 * What a call of the trace saw, as its agent's conversation shows it.
 *
 * @param messages the conversation; their parts are not needed
 * @param traced the agent's calls
 * @param outline of the conversation, where it is known
 * @returns `undefined` where the conversation does not hold the call
 */
export function contextInConversation(
  messages: readonly ReadMessage[],
  traced: readonly TracedCall[],
  spanId: string,
  outline?: ConversationOutline,
): SeenContext | undefined {
  const { known } = knownCalls(contextCalls(messages, outline), traced, () => false);
  const call = known.find((one) => one.traced?.spanId === spanId)?.call;
  if (call === undefined) return undefined;
  const { cleared, isRecorded } = call;
  return { messages: contextOf(messages, call), cleared, isRecorded };
}
