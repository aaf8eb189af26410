import { estimateTokens } from "../../../../src/domain/usage/token-counts.js";
import type { DroppedContent, DroppedMessages } from "../../model/context/dropped-messages.js";
import type { DroppedLine, DroppedList } from "../messages/message-protocol.js";
import { describeMessage } from "./context-lines.js";

const MOST_LINES = 500;

interface DroppedContext {
  readonly directory: string;
  /** Tokens per estimated token. */
  readonly scale: number;
  /** `undefined` if no call saw it. */
  firstContextOf(messageIndex: number): number | undefined;
  stepOf(toolCallId: string): string | undefined;
}

export function droppedList(dropped: DroppedMessages, context: DroppedContext): DroppedList {
  const { messages, size, again } = dropped;
  return {
    messages: messages.length,
    tokens: estimateTokens(size) * context.scale,
    again: { calls: again.calls, tokens: estimateTokens(again.size) * context.scale },
    lines: messages.slice(0, MOST_LINES).map((one) => droppedLine(one, context)),
  };
}

function droppedLine(one: DroppedContent, context: DroppedContext): DroppedLine {
  const { message, size, isCleared, uses, again } = one;
  const { directory, scale, firstContextOf, stepOf } = context;
  return {
    message: describeMessage(message, directory, scale),
    tokens: estimateTokens(size) * scale,
    isCleared,
    uses,
    again: again && {
      ...again,
      tokens: estimateTokens(again.size) * scale,
      call: again.messageIndex === undefined ? undefined : firstContextOf(again.messageIndex),
      stepId: stepOf(again.toolCallId),
    },
  };
}
