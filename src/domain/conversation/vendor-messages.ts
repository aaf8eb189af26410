import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { callPart, contentParts, firstText, parsedOrText, plainText, resultPart } from "./content-parts.js";
import type { MessagePart } from "./message-part.js";
import { itemParts, itemRole } from "./response-items.js";

/** Unknown parts stay unchanged, as `other`. */
export function vendorParts(message: JsonObject): MessagePart[] {
  const item = itemParts(message);
  if (item !== undefined) return item;
  const parts: MessagePart[] = [];
  const role = vendorRole(message);
  // If both exist, the content repeats the text of the parts.
  const content = Array.isArray(message.parts) ? message.parts : (message.content ?? message.parts);
  const resultOf = textField(message, "tool_call_id") ?? textField(message, "toolCallId");
  if (role === "tool" && resultOf !== undefined) return [resultPart(resultOf, content, message)];
  const reasoning = textField(message, "reasoning_content") ?? textField(message, "reasoning");
  if (reasoning !== undefined) parts.push({ type: "thinking", text: reasoning });
  if (Array.isArray(message.thoughts))
    for (const thought of message.thoughts) parts.push(thoughtPart(thought));
  if (typeof content === "string") {
    if (content !== "") parts.push({ type: "text", text: content });
  } else if (Array.isArray(content)) {
    for (const block of content) for (const part of contentParts(block)) parts.push(part);
  } else if (content !== undefined && content !== null) {
    parts.push({ type: "other", value: content });
  }
  if (Array.isArray(message.tool_calls))
    for (const call of message.tool_calls) parts.push(functionCall(call));
  if (Array.isArray(message.toolCalls))
    for (const call of message.toolCalls) for (const part of callAndResult(call)) parts.push(part);
  if (parts.length === 0 && (content === undefined || content === null))
    parts.push({ type: "other", value: message });
  return parts;
}

export function vendorRole(message: JsonObject): string {
  const role = textField(message, "role") ?? itemRole(message) ?? textField(message, "type") ?? "unknown";
  return role === "gemini" ? "assistant" : role;
}

function thoughtPart(value: unknown): MessagePart {
  if (!isJsonObject(value)) return { type: "other", value };
  const words = ["subject", "description"].flatMap((name) => textField(value, name) ?? []);
  return { type: "thinking", text: words.join("\n\n") };
}

function callAndResult(value: unknown): MessagePart[] {
  if (!isJsonObject(value)) return [{ type: "other", value }];
  const begun = callPart(value, value.args);
  if (!Array.isArray(value.result)) return [begun];
  const texts = value.result.map((part) => {
    const { response } = objectField(isJsonObject(part) ? part : {}, "functionResponse");
    if (!isJsonObject(response)) return plainText(part);
    return plainText(response.output ?? response.error ?? response);
  });
  const isError = value.status !== "success";
  return [
    begun,
    { type: "result", callId: firstText(value, ["id"]), text: texts.join("\n"), images: [], isError },
  ];
}

function functionCall(value: unknown): MessagePart {
  if (!isJsonObject(value)) return { type: "other", value };
  // Inspect names the function where others have an object.
  if (typeof value.function === "string")
    return callPart({ ...value, name: value.function }, value.arguments);
  if (!isJsonObject(value.function)) return { type: "other", value };
  return {
    type: "call",
    callId: textField(value, "id") ?? "",
    name: textField(value.function, "name") ?? "",
    input: parsedOrText(value.function.arguments),
  };
}
