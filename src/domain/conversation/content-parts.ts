import { isJsonObject, type JsonObject, jsonIn, textField } from "../json/json.js";
import { valueText } from "../text/value-text.js";
import { imageSource } from "./images.js";
import { type MessagePart, partText } from "./message-part.js";

const DEEPEST_RESULT = 8;

/**
 * Parses one block of a message's content: shapes of Anthropic, OpenAI, the AI SDK, Gemini and OpenTelemetry
 * (https://github.com/open-telemetry/semantic-conventions-genai). Another shape becomes `other`.
 * @param depth number of results around it
 */
export function contentParts(block: unknown, depth = 0): MessagePart[] {
  if (typeof block === "string") return [{ type: "text", text: block }];
  if (!isJsonObject(block) || depth > DEEPEST_RESULT) return [{ type: "other", value: block }];
  switch (block.type) {
    case "text":
    case "input_text":
    case "output_text":
      return [spoken("text", block, ["text", "content"])];
    case "thinking":
    case "reasoning":
      return [spoken("thinking", block, ["thinking", "reasoning", "text", "content"])];
    case "tool_use":
    case "tool-call":
    case "toolCall":
    case "tool_call":
      return [callPart(block, block.input ?? block.args ?? parsedOrText(block.arguments))];
    case "tool_result":
    case "tool-result":
    case "toolResult":
    case "tool_call_response": {
      const id = firstText(block, ["tool_use_id", "toolCallId", "id"]);
      const content = block.content ?? block.output ?? block.response ?? block.result;
      return [resultPart(id, content, block, depth)];
    }
    // Start of a step in the AI SDK.
    case "step-start":
      return [];
    default:
      return untypedParts(block, depth);
  }
}

function untypedParts(block: JsonObject, depth: number): MessagePart[] {
  if (block.type === undefined && typeof block.text === "string")
    return [{ type: block.thought === true ? "thinking" : "text", text: block.text }];
  if (isJsonObject(block.functionCall))
    return [callPart(block.functionCall, block.functionCall.args, ["id", "name"])];
  if (isJsonObject(block.functionResponse)) {
    const { functionResponse: result } = block;
    return [functionResponse(firstText(result, ["id", "name"]), result, depth)];
  }
  if (typeof block.state === "string" && typeof block.toolCallId === "string")
    return toolInMessage(block, depth);
  const source = imageSource(block);
  return [source === undefined ? { type: "other", value: block } : { type: "image", source }];
}

/** Gemini: the result is the member `output` of the response, an error is `error`; without both it is the complete response. */
function functionResponse(callId: string, result: JsonObject, depth: number): MessagePart {
  const { response } = result;
  const { output, error } = isJsonObject(response) ? response : {};
  const isError = result.isError === true || (output === undefined && error !== undefined);
  return resultPart(callId, output ?? error ?? response, { isError }, depth);
}

/** Tools in the AI SDK's messages of the user interface: `tool-NAME`, or `dynamic-tool` with `toolName`. */
function toolInMessage(block: JsonObject, depth: number): MessagePart[] {
  const name = textField(block, "toolName") ?? (textField(block, "type") ?? "").replace(/^tool-/, "");
  const callId = firstText(block, ["toolCallId"]);
  const call: MessagePart = { type: "call", callId, name, input: block.input ?? block.rawInput };
  if (block.state === "output-error") return [call, resultPart(callId, block.errorText, { isError: true })];
  return block.state === "output-available" ? [call, resultPart(callId, block.output, {}, depth)] : [call];
}

function spoken(type: "text" | "thinking", block: JsonObject, names: readonly string[]): MessagePart {
  const text = names.map((name) => block[name]).find((value) => typeof value === "string");
  return typeof text === "string" ? { type, text } : { type: "other", value: block };
}

export function callPart(block: JsonObject, input: unknown, ids = ["toolCallId", "id"]): MessagePart {
  return { type: "call", callId: firstText(block, ids), name: firstText(block, ["toolName", "name"]), input };
}

/** Arguments are JSON in a string if the model wrote valid JSON; otherwise they stay a text. */
export function parsedOrText(value: unknown): unknown {
  const parsed = typeof value === "string" ? jsonIn(value) : undefined;
  return parsed === undefined ? value : parsed;
}

export function resultPart(callId: string, content: unknown, owner: JsonObject, depth = 0): MessagePart {
  const blocks = Array.isArray(content) ? content.flatMap((block) => contentParts(block, depth + 1)) : [];
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

export function plainText(content: unknown): string {
  return isJsonObject(content) && typeof content.value === "string" ? content.value : valueText(content);
}

/** The first text that is not empty; `""` without one. */
export function firstText(object: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const text = textField(object, name);
    if (text !== undefined) return text;
  }
  return "";
}
