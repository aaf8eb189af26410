import { estimateTokens } from "../usage/token-counts.js";
import { messageText } from "./compare-contexts.js";
import type { MessageOrigin, ReadMessage } from "./conversation.js";

export interface ReadContextMessage {
  /** In the conversation, or in the record of the call. */
  readonly index: number;
  /** For a compaction with verbatim messages: index of this one, from 0. */
  readonly item?: number;
  readonly role: string;
  readonly origin: MessageOrigin;
  /** Estimate: four characters each. */
  readonly tokens: number;
  /** Start of the text: at most {@link MAX_CONTEXT_TEXT} UTF-16 code units. */
  readonly text: string;
  /** Of the complete text, in UTF-16 code units. */
  readonly length: number;
  /** Tool calls that it requests or answers, by the vendor's ids. */
  readonly toolCallIds?: readonly string[];
}

/** `call` if the call records its context, `conversation` if it is derived from the conversation at that time, `null` without both. */
export type ContextSource = "call" | "conversation" | null;

export interface CallContext {
  readonly call: {
    readonly id: string;
    readonly timestamp: string;
    /** Absent for the main agent. */
    readonly agentId?: string;
    readonly countedTokens?: number;
    readonly size: number;
    readonly estimatedTokens: number;
    readonly source: ContextSource;
  };
  readonly messages: readonly ReadContextMessage[];
  readonly nextCursor: string | null;
}

const MAX_CONTEXT_TEXT = 4_000;

/** @param item index of a compaction's own message */
export function contextMessage(message: ReadMessage, item?: number): ReadContextMessage {
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

/** Cuts no surrogate pair at its end. */
function beginning(text: string): string {
  const cut = text.slice(0, MAX_CONTEXT_TEXT);
  return text.length > cut.length ? cut.replace(/[\uD800-\uDBFF]$/, "") : cut;
}

/** Small enough to store for each message, and sufficient to identify calls by their contexts. */
export function withoutParts(message: ReadMessage): ReadMessage {
  return { ...message, parts: [], replacement: message.replacement?.map(withoutParts) };
}
