import { estimateTokens } from "../usage/token-counts.js";
import { knownCalls, type TracedCall } from "./call-matches.js";
import { messageText } from "./compare-contexts.js";
import { contextCalls } from "./context-calls.js";
import { contextOf } from "./context-messages.js";
import type { MessageOrigin, ReadMessage } from "./conversation.js";
import type { ConversationOutline } from "./conversation-outline.js";

/** A message in the context of a model call. */
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
  /** Length of the complete text, in UTF-16 code units. */
  readonly length: number;
  /** The tool calls that it asks for or answers, by the vendor's ids. */
  readonly toolCallIds?: readonly string[];
}

/**
 * Origin of a call's context: `call` if it is recorded on the call, `conversation` if it is derived from the conversation at that time,
 * `null` if neither is available.
 */
export type ContextSource = "call" | "conversation" | null;

/** The context of a model call: its first messages, or those after a cursor. */
export interface CallContext {
  readonly call: {
    /** The id of the envelope that began it. */
    readonly id: string;
    readonly timestamp: string;
    /** Absent for the main agent. */
    readonly agentId?: string;
    /** Tokens that it read, as counted by the vendor. */
    readonly countedTokens?: number;
    /** Number of messages in the context, and their estimated tokens. */
    readonly size: number;
    readonly estimatedTokens: number;
    readonly source: ContextSource;
  };
  readonly messages: readonly SeenMessage[];
  readonly nextCursor: string | null;
}

const MAX_SEEN_TEXT = 4_000;

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

/**
 * A message without its parts. It still identifies the calls with it in their context, and is small enough to be stored for each message.
 */
export function withoutParts(message: ReadMessage): ReadMessage {
  return { ...message, parts: [], replacement: message.replacement?.map(withoutParts) };
}

/** The part of a conversation in the context of a call. */
export interface SeenContext {
  readonly messages: readonly ReadMessage[];
  /** The tool calls whose results it did not see. */
  readonly cleared: ReadonlySet<string>;
  /** True if the messages of the request are recorded. */
  readonly isRecorded: boolean;
}

/**
 * Derives the context of a traced call from its agent's conversation.
 *
 * @param messages the conversation; their parts are not needed
 * @param traced the agent's calls
 * @param outline of the conversation, if there is one
 * @returns `undefined` if the conversation does not contain the call
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
