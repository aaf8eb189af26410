import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";

/**
 * The image that a block of content holds, in the shapes of Anthropic, OpenAI, the AI SDK, Gemini, MCP and OpenTelemetry: data inside the history as
 * `data:`, anything else as the address that is written there.
 *
 * @returns `undefined` for what is no image
 */
export function imageSource(block: JsonObject): string | undefined {
  const inline = block.inlineData ?? block.inline_data;
  if (isJsonObject(inline)) return mediaTypeOf(inline).startsWith("image/") ? dataAddress(inline) : undefined;
  if (block.type === "blob" || block.type === "uri" || block.type === "file") {
    if (!mediaTypeOf(block).startsWith("image/") && block.modality !== "image") return undefined;
    const data = block.data ?? (block.type === "blob" ? block.content : undefined);
    return dataAddress({ ...block, data }) ?? textField(block, "uri") ?? textField(block, "url");
  }
  if (block.type !== "image" && block.type !== "image_url" && block.type !== "input_image") return undefined;
  const source = isJsonObject(block.source) ? block.source : objectField(block, "image_url");
  return (
    dataAddress(source) ??
    dataAddress(block) ??
    textField(source, "url") ??
    textField(block, "url") ??
    textField(block, "image_url") ??
    textField(block, "image")
  );
}

function dataAddress(holder: JsonObject): string | undefined {
  const data = textField(holder, "data");
  if (data === undefined || /^(data|https?):/.test(data)) return data;
  return `data:${mediaTypeOf(holder) || "image/png"};base64,${data}`;
}

function mediaTypeOf(holder: JsonObject): string {
  for (const name of ["media_type", "mediaType", "mimeType", "mime_type"]) {
    const type = textField(holder, name);
    if (type !== undefined) return type;
  }
  return "";
}

/** Deeper than any tool nests what it gives. */
const MAX_DEPTH = 12;
const MAX_IMAGES = 100;

/** The images in any JSON, in their order. */
export function imagesIn(value: unknown): string[] {
  const found: string[] = [];
  const visit = (part: unknown, depth: number) => {
    if (depth > MAX_DEPTH || found.length >= MAX_IMAGES || typeof part !== "object" || part === null) return;
    const source = isJsonObject(part) ? imageSource(part) : undefined;
    if (source !== undefined) found.push(source);
    else for (const member of Object.values(part)) visit(member, depth + 1);
  };
  visit(value, 0);
  return found;
}
