import type { Message } from "../../domain/conversation/message.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { jsonOf, objectOf, objectsIn, tokensOf, toolCallPart } from "./framework-values.js";

export function messageOf(message: unknown): Message {
  if (!isJsonObject(message)) return { role: "user", content: jsonOf(message) };
  const type = typeOf(message);
  const role = ROLES.get(type) ?? textField(message, "role") ?? type;
  const content = jsonOf(message.content);
  if (role === "tool") {
    const isError = message.status === "error" ? { isError: true } : {};
    return {
      role,
      content: [{ type: "tool-result", toolCallId: message.tool_call_id, output: content, ...isError }],
    };
  }
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const hasCalls = parts.some((part) => isJsonObject(part) && /^tool_(use|call)$/.test(String(part.type)));
  const calls = hasCalls ? [] : objectsIn(message.tool_calls);
  if (calls.length === 0) return { role, content };
  const textParts = typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : parts;
  const callParts = calls.map(({ id, name, args }) => toolCallPart(id, name, jsonOf(args)));
  return { role, content: [...textParts, ...callParts] };
}

/** LangChain reports messages as lists of lists. */
export function messagesIn(messages: unknown): Message[] {
  return [messages].flat(2).map(messageOf);
}

const DEEPEST = 8;

export function plainOf(value: unknown, depth = 0): unknown {
  if (Array.isArray(value) && depth < DEEPEST) return value.map((one) => plainOf(one, depth + 1));
  if (!isJsonObject(value) || depth === DEEPEST) return jsonOf(value);
  if (typeof value.getType === "function" || typeof value._getType === "function") return messageOf(value);
  if (!Array.isArray(value.messages)) return jsonOf(value);
  return {
    ...(jsonOf({ ...value, messages: undefined }) as JsonObject),
    messages: value.messages.map((one) => plainOf(one, depth + 1)),
  };
}

export function answerIn(result: unknown): RunSpanResult {
  const { generations, llmOutput } = objectOf(result);
  const [generation] = [generations].flat(2).filter(isJsonObject);
  if (generation === undefined) return {};
  const { message, text, generationInfo } = generation;
  const textParts = isJsonObject(message) ? messageOf(message) : { role: "assistant", content: text };
  const fields = objectOf(message);
  const about = { ...objectOf(generationInfo), ...objectField(fields, "response_metadata") };
  return {
    answer: [textParts],
    model: textField(about, "model_name") ?? textField(about, "model"),
    stopReason: textField(about, "finish_reason") ?? textField(about, "stop_reason"),
    usage: usageIn(fields, objectOf(llmOutput)),
  };
}

function usageIn(message: JsonObject, llmOutput: JsonObject) {
  const { usage_metadata: usage } = message;
  if (isJsonObject(usage)) {
    const { cache_read, cache_creation } = objectField(usage, "input_token_details");
    return tokensOf({
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadTokens: cache_read,
      cacheWriteTokens: cache_creation,
    });
  }
  const { promptTokens, completionTokens } = objectField(llmOutput, "tokenUsage");
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return tokensOf({
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  });
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["AIMessageChunk", "assistant"],
]);

function typeOf(message: JsonObject): string {
  const ask = message.getType ?? message._getType;
  const type = typeof ask === "function" ? ask.call(message) : message.type;
  return typeof type === "string" ? type : "user";
}
