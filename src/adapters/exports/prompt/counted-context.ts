import { messageText } from "../../../domain/conversation/compare-contexts.js";
import type { MessageOrigin, ReadMessage } from "../../../domain/conversation/conversation.js";
import { readMessage } from "../../../domain/conversation/conversation.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { estimateTokens } from "../../../domain/usage/token-counts.js";

const MOST_LAST = 6;
const MOST_TEXT = 1_500;

export interface RetainedMessage {
  readonly origin: MessageOrigin;
  readonly text: string;
}

export class CountedContext {
  readonly sizes = new Map<MessageOrigin, number>();
  readonly last: RetainedMessage[] = [];
  count = 0;
  #isAnswered = false;

  /** @param answer the context ends before it: the id of a message, or of a tool call that it requests */
  add(
    message: JsonObject,
    answer: { readonly messageId?: string | undefined; readonly toolCallId?: string | undefined },
  ): void {
    const read = readMessage(message, this.count);
    this.#isAnswered ||= isAnswer(read, answer);
    if (this.#isAnswered) return;
    this.count++;
    this.sizes.set(read.origin, (this.sizes.get(read.origin) ?? 0) + estimateTokens(read.size));
    this.last.push({ origin: read.origin, text: messageText(read).slice(0, MOST_TEXT) });
    if (this.last.length > MOST_LAST) this.last.shift();
  }
}

function isAnswer(
  { origin, answerId, parts }: ReadMessage,
  { messageId, toolCallId }: Parameters<CountedContext["add"]>[1],
): boolean {
  if (origin !== "assistant") return false;
  if (messageId !== undefined && answerId === messageId) return true;
  return parts.some((part) => part.type === "call" && part.callId !== "" && part.callId === toolCallId);
}
