import type { Message } from "../../domain/conversation/message.js";
import { readUsage } from "../../domain/dialects/recorded-usage.js";
import { isJsonObject, type JsonObject, textField } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { jsonOf } from "./framework-values.js";

export function answerIn(message: JsonObject): RunSpanResult {
  const { id, role = "assistant", content } = message;
  const answer = jsonOf({ id, role, content }) as Message;
  return {
    model: textField(message, "model"),
    answer: Array.isArray(content) && content.length > 0 ? [answer] : [],
    stopReason: textField(message, "stop_reason"),
    usage: isJsonObject(message.usage) ? readUsage({ usage: message.usage }) : undefined,
  };
}
