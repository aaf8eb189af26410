import { readMessage } from "../../../domain/conversation/conversation.js";
import type { MessagePart } from "../../../domain/conversation/message-part.js";
import { isJsonObject, type JsonObject, present, textField } from "../../../domain/json/json.js";

/**
 * Returns a message in the shape of OpenTelemetry:
 * https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-input-messages.json
 * @param finishReason for a message of a model. Default is input of a model
 */
export function genAiMessage(stored: JsonObject, index: number, finishReason?: string): JsonObject {
  const finish = present({ finish_reason: finishReason });
  if (isGenAi(stored)) return { ...finish, ...stored };
  const { role, parts, answerId, origin } = readMessage(stored, index);
  return {
    role,
    ...present({ id: answerId }),
    ...(origin === "summary" ? { compaction: true } : {}),
    parts: parts.map(genAiPart),
    ...finish,
  };
}

/** The AI SDK's messages have parts, too. */
function isGenAi({ role, parts }: JsonObject): boolean {
  if (typeof role !== "string" || !Array.isArray(parts)) return false;
  return parts.every((part) => isJsonObject(part) && isGenAiPart(part));
}

function isGenAiPart({ type, content, id, name, response, result }: JsonObject): boolean {
  switch (type) {
    case "text":
    case "reasoning":
      return typeof content === "string";
    case "tool_call":
      return typeof id === "string" && typeof name === "string";
    case "tool_call_response":
      return typeof id === "string" && (response !== undefined || result !== undefined);
    case "blob":
    case "uri":
    case "file":
      return true;
    default:
      return false;
  }
}

function genAiPart(part: MessagePart): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "text", content: part.text };
    case "thinking":
      return { type: "reasoning", content: part.text };
    case "call":
      return { type: "tool_call", id: part.callId, name: part.name, arguments: part.input };
    case "result": {
      const { callId: id, text, images, isError } = part;
      const parts = [...(text === "" ? [] : [{ type: "text", content: text }]), ...images.map(imagePart)];
      const response = images.length === 0 ? text : parts;
      return { type: "tool_call_response", id, response, ...(isError ? { is_error: true } : {}) };
    }
    case "image":
      return imagePart(part.source);
    case "other":
      return isJsonObject(part.value) && textField(part.value, "type") !== undefined
        ? part.value
        : { type: "other", value: part.value };
    default:
      part satisfies never;
      return {};
  }
}

function imagePart(source: string): JsonObject {
  const [, mimeType, content] = /^data:(image\/[\w.+-]+)[^,]*;base64,(.*)$/s.exec(source) ?? [];
  return content === undefined
    ? { type: "uri", modality: "image", uri: source }
    : { type: "blob", modality: "image", mime_type: mimeType, content };
}
