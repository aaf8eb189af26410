import { isJsonObject, type JsonObject, objectField, textField } from "../../../src/domain/json.js";
import { imageSource } from "./image-block.js";
import type { MessagePart } from "./message-part.js";
import { itemParts, itemRole } from "./response-items.js";

/** The parts of a message. What no vendor's format explains stays as it is, as `other`. */
export function messageParts(message: JsonObject): MessagePart[] {
  const item = itemParts(message);
  if (item !== undefined) return item;
  const parts: MessagePart[] = [];
  const role = messageRole(message);
  const content = message.content ?? message.parts;
  const resultOf = textField(message, "tool_call_id") ?? textField(message, "toolCallId");
  if (role === "tool" && resultOf !== undefined) return [resultPart(resultOf, content, message)];
  const reasoning = textField(message, "reasoning_content") ?? textField(message, "reasoning");
  if (reasoning !== undefined) parts.push({ type: "thinking", text: reasoning });
  if (Array.isArray(message.thoughts)) parts.push(...message.thoughts.map(thoughtPart));
  if (typeof content === "string") {
    if (content !== "") parts.push({ type: "text", text: content });
  } else if (Array.isArray(content)) {
    for (const block of content) parts.push(partOf(block));
  } else if (content !== undefined && content !== null) {
    parts.push({ type: "other", value: content });
  }
  if (Array.isArray(message.tool_calls))
    for (const call of message.tool_calls) parts.push(functionCall(call));
  if (Array.isArray(message.toolCalls)) parts.push(...message.toolCalls.flatMap(callAndResult));
  if (parts.length === 0 && content === undefined) parts.push({ type: "other", value: message });
  return parts;
}

export function messageRole(message: JsonObject): string {
  const role = textField(message, "role") ?? itemRole(message) ?? textField(message, "type") ?? "unknown";
  return role === "gemini" ? "assistant" : role;
}

function partOf(block: unknown): MessagePart {
  if (typeof block === "string") return { type: "text", text: block };
  if (!isJsonObject(block)) return { type: "other", value: block };
  switch (block.type) {
    case "text":
    case "input_text":
    case "output_text":
      return { type: "text", text: textField(block, "text") ?? "" };
    case "thinking":
      return { type: "thinking", text: textField(block, "thinking") ?? textField(block, "text") ?? "" };
    case "reasoning":
      return { type: "thinking", text: textField(block, "text") ?? "" };
    case "tool_use":
      return call(block, ["id"], ["name"], block.input);
    case "tool-call":
    case "toolCall":
    case "tool_call":
      return call(
        block,
        ["toolCallId", "id"],
        ["toolName", "name"],
        block.input ?? block.args ?? block.arguments,
      );
    case "tool_result":
    case "tool-result":
    case "toolResult": {
      const id = first(block, ["tool_use_id", "toolCallId", "id"]);
      return resultPart(id, block.content ?? block.output ?? block.result, block);
    }
    case "image":
    case "image_url":
    case "input_image":
      return imagePart(block);
    default:
      return untypedPart(block);
  }
}

function untypedPart(block: JsonObject): MessagePart {
  if (block.type === undefined && typeof block.text === "string") return { type: "text", text: block.text };
  if (isJsonObject(block.functionCall)) {
    const { functionCall } = block;
    return call(functionCall, ["id", "name"], ["name"], functionCall.args);
  }
  if (isJsonObject(block.functionResponse)) {
    const { functionResponse } = block;
    return resultPart(first(functionResponse, ["id", "name"]), functionResponse.response, functionResponse);
  }
  return imagePart(block);
}

/** A summary of a thought: what it is about, and what it says. */
function thoughtPart(value: unknown): MessagePart {
  if (!isJsonObject(value)) return { type: "other", value };
  const words = ["subject", "description"].flatMap((name) => textField(value, name) ?? []);
  return { type: "thinking", text: words.join("\n\n") };
}

/** A call that holds its result, too. */
function callAndResult(value: unknown): MessagePart[] {
  if (!isJsonObject(value)) return [{ type: "other", value }];
  const begun = call(value, ["id"], ["name"], value.args);
  if (!Array.isArray(value.result)) return [begun];
  const texts = value.result.map((part) => {
    const { response } = objectField(isJsonObject(part) ? part : {}, "functionResponse");
    if (!isJsonObject(response)) return plainText(part);
    return plainText(response.output ?? response.error ?? response);
  });
  const isError = value.status !== "success";
  return [
    begun,
    { type: "result", callId: first(value, ["id"]), text: texts.join("\n"), images: [], isError },
  ];
}

function functionCall(value: unknown): MessagePart {
  if (!isJsonObject(value) || !isJsonObject(value.function)) return { type: "other", value };
  const { arguments: text } = value.function;
  return {
    type: "call",
    callId: textField(value, "id") ?? "",
    name: textField(value.function, "name") ?? "",
    input: typeof text === "string" ? parsedOrText(text) : text,
  };
}

/** Arguments are JSON inside a string, as far as the model wrote them right; else they are shown as written. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function call(
  block: JsonObject,
  ids: readonly string[],
  names: readonly string[],
  input: unknown,
): MessagePart {
  return { type: "call", callId: first(block, ids), name: first(block, names), input };
}

function resultPart(callId: string, content: unknown, owner: JsonObject): MessagePart {
  const blocks = Array.isArray(content) ? content.map(partOf) : [];
  const images = blocks.flatMap((block) => (block.type === "image" ? [block.source] : []));
  const failed = isJsonObject(content) && (content.type === "error-text" || content.type === "error-json");
  return {
    type: "result",
    callId,
    text: Array.isArray(content) ? blocks.map(partText).filter(Boolean).join("\n") : plainText(content),
    images,
    isError: owner.is_error === true || owner.isError === true || failed,
  };
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (isJsonObject(content) && typeof content.value === "string") return content.value;
  return JSON.stringify(content, null, 2);
}

/** The text of a part, for previews, searches and sizes. */
export function partText(part: MessagePart): string {
  switch (part.type) {
    case "text":
    case "thinking":
    case "result":
      return part.text;
    case "call":
      return typeof part.input === "string" ? part.input : (JSON.stringify(part.input, null, 2) ?? "");
    case "image":
      return "";
    case "other":
      return JSON.stringify(part.value, null, 2) ?? "";
    default:
      part satisfies never;
      return "";
  }
}

/** An image as an address; anything else as it is written. */
function imagePart(block: JsonObject): MessagePart {
  const source = imageSource(block);
  return source === undefined ? { type: "other", value: block } : { type: "image", source };
}

function first(object: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const text = textField(object, name);
    if (text !== undefined) return text;
  }
  return "";
}
