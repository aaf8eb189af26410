import { messageText } from "../../../../src/domain/conversation/compare-contexts.js";
import { type ReadMessage, readMessage } from "../../../../src/domain/conversation/conversation.js";
import { recordedContext } from "../../../../src/domain/conversation/recorded-context.js";
import { cutText } from "../messages/cut-text.js";
import type { InputMessages } from "../messages/message-protocol.js";
import { eventIn } from "../records/record-json.js";
import { describeMessage } from "./context-lines.js";

/** The Context view has all messages. */
const MAX_MESSAGES = 100;

/**
 * @param records envelopes of the call's start and end, as JSON text
 * @param index index of the first message
 * @returns `undefined` if the events contain no context
 */
export function readInput(records: readonly string[], index = 0): readonly ReadMessage[] | undefined {
  return recordedContext(records.map(eventIn))?.messages.map((message, i) => readMessage(message, index + i));
}

export function inputMessages(records: readonly string[], directory: string): InputMessages | undefined {
  const input = readInput(records);
  if (input === undefined) return undefined;
  const messages = input.slice(-MAX_MESSAGES).map((message) => {
    return { ...describeMessage(message, directory), text: cutText(messageText(message)) };
  });
  return { messages, earlier: input.length - messages.length };
}

export function inputText(records: readonly string[], index: number): string {
  const message = readInput(records)?.[index];
  return message === undefined ? "" : messageText(message);
}
