import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { parsedOrText } from "./content-parts.js";
import type { MessagePart } from "./message-part.js";

/** Items of OpenAI's Responses API: a reasoning, a call or its output is a separate message there. */
const CALL = /^(function|custom_tool|local_shell|tool_search|web_search|image_generation)_call$/;
const OUTPUT = /^(function_call|custom_tool_call|tool_search)_output$/;

/** Messages of other vendors have their type, but not the types of its parts. */
const CONTENT = /^(input|output)_/;

/** Consecutive items are one answer. */
export function isItem(message: JsonObject): boolean {
  const type = textField(message, "type") ?? "";
  if (type === "reasoning" || CALL.test(type) || OUTPUT.test(type)) return true;
  const [first] = Array.isArray(message.content) ? message.content : [];
  return type === "message" && isJsonObject(first) && CONTENT.test(textField(first, "type") ?? "");
}

/** `undefined` for messages that state their role. */
export function itemRole(message: JsonObject): string | undefined {
  const type = textField(message, "type") ?? "";
  if (type === "reasoning" || CALL.test(type)) return "assistant";
  if (OUTPUT.test(type)) return "tool";
  return type === "user_message" || type === "agent_message" ? "user" : undefined;
}

export function replacementOf(message: JsonObject): readonly JsonObject[] | undefined {
  const history = message.replacement_history ?? compressedHistoryOf(message);
  return Array.isArray(history) ? history.filter(isJsonObject) : undefined;
}

/** Part of a compression record beside its figures, which is not an item: messages in Gemini's shape. */
function compressedHistoryOf(message: JsonObject): unknown {
  return objectField(message, "systemPayload").compressedHistory;
}

export function itemParts(message: JsonObject): MessagePart[] | undefined {
  const type = textField(message, "type") ?? "";
  const callId = textField(message, "call_id") ?? textField(message, "id") ?? "";
  if (CALL.test(type)) {
    const name = textField(message, "name") ?? type.replace(/_call$/, "");
    return [{ type: "call", callId, name, input: inputOf(message) }];
  }
  if (OUTPUT.test(type)) return [outputPart(callId, message.output)];
  if (type === "reasoning") return [{ type: "thinking", text: textsIn(message.summary ?? message.content) }];
  const replacement = replacementOf(message);
  if (replacement !== undefined) return [{ type: "text", text: summaryIn(message, replacement) }];
  return type === "user_message" && typeof message.message === "string"
    ? [{ type: "text", text: message.message }]
    : undefined;
}

function inputOf({ type, arguments: text, input, action }: JsonObject): unknown {
  const value = text ?? input ?? action;
  return type === "custom_tool_call" ? value : parsedOrText(value);
}

function outputPart(callId: string, output: unknown): MessagePart {
  const parts = Array.isArray(output) ? output.filter(isJsonObject) : [];
  const images = parts.flatMap((part) => textField(part, "image_url") ?? []);
  const text = typeof output === "string" ? output : textsIn(output);
  return { type: "result", callId, text, images, isError: false };
}

function textsIn(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content
    .flatMap((part) => (isJsonObject(part) && typeof part.text === "string" ? [part.text] : []))
    .join("\n");
}

/** The text of a compaction itself, otherwise the last text of its replacement. A compressed history begins with its summary. */
function summaryIn(message: JsonObject, replacement: readonly JsonObject[]): string {
  if (compressedHistoryOf(message) !== undefined) return textsIn(replacement[0]?.parts);
  const own = textField(message, "message");
  return own ?? textsIn(replacement.findLast(({ content }) => textsIn(content) !== "")?.content);
}
