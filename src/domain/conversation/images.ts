import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";

/**
 * Accepts blocks of Anthropic, OpenAI, the AI SDK, Gemini, MCP, OpenTelemetry and ATIF. Embedded data becomes a `data:` URL.
 * @returns `undefined` for a block without an image
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
    textField(source, "path") ??
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

/** Deeper than the output of any tool. */
const MAX_DEPTH = 12;
const MAX_IMAGES = 100;

export function imagesIn(value: unknown): string[] {
  const images: string[] = [];
  const visit = (part: unknown, depth: number) => {
    if (depth > MAX_DEPTH || images.length >= MAX_IMAGES || typeof part !== "object" || part === null) return;
    const source = isJsonObject(part) ? imageSource(part) : undefined;
    if (source !== undefined) images.push(source);
    else for (const member of Object.values(part)) visit(member, depth + 1);
  };
  visit(value, 0);
  return images;
}

export type ImageFacts =
  | {
      readonly type: "inside";
      /** From the first bytes: "PNG". */
      readonly format: string;
      readonly bytes: number;
      /** In pixels; `undefined` for vector drawings. */
      readonly width: number | undefined;
      readonly height: number | undefined;
    }
  /** Unsupported data, or an image so large that it could freeze the page. */
  | {
      readonly type: "unreadable" | "too large";
      readonly bytes: number;
      readonly width: number | undefined;
      readonly height: number | undefined;
    }
  | { readonly type: "elsewhere"; readonly address: string };

const MAX_BYTES = 20_000_000;
/** The time to render a drawing grows with its text. */
const MAX_DRAWING_BYTES = 500_000;
const MAX_PIXELS = 40_000_000;
const MAX_ADDRESS = 200;

/** The size of a JPEG may follow a preview in its header. */
const HEAD_BYTES = 120_000;

const DATA = /^data:(image\/[\w.+-]+)(?:;[\w=.-]+)*;base64,/i;

/** @param source an address; `data:` for an embedded image */
export function imageFacts(source: string): ImageFacts {
  if (!source.startsWith("data:")) return { type: "elsewhere", address: source.slice(0, MAX_ADDRESS) };
  const [prefix, mediaType = ""] = DATA.exec(source.slice(0, MAX_ADDRESS)) ?? [];
  const nothing = { width: undefined, height: undefined };
  if (prefix === undefined) return { type: "unreadable", bytes: source.length, ...nothing };
  const padding = source.endsWith("==") ? 2 : source.endsWith("=") ? 1 : 0;
  const bytes = Math.max(0, Math.floor(((source.length - prefix.length) * 3) / 4) - padding);
  if (bytes > MAX_BYTES) return { type: "too large", bytes, ...nothing };
  // Browsers recognise a drawing only by its media type, other images by their first bytes.
  if (mediaType.toLowerCase() === "image/svg+xml") {
    if (bytes > MAX_DRAWING_BYTES) return { type: "too large", bytes, ...nothing };
    return { type: "inside", format: "SVG", bytes, ...nothing };
  }
  const head = decoded(source.slice(prefix.length, prefix.length + HEAD_BYTES));
  const pixels = head === undefined ? undefined : pixelsOf(head);
  if (pixels === undefined || pixels.width === 0 || pixels.height === 0) {
    return { type: "unreadable", bytes, ...nothing };
  }
  const { width, height } = pixels;
  if (width * height > MAX_PIXELS) return { type: "too large", bytes, width, height };
  return { type: "inside", bytes, ...pixels };
}

function decoded(base64: string): Uint8Array | undefined {
  const clean = base64.replace(/\s/g, "");
  try {
    return Uint8Array.from(atob(clean.slice(0, clean.length - (clean.length % 4))), (c) => c.charCodeAt(0));
  } catch (error) {
    // Invalid base64 throws an `InvalidCharacterError`.
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

interface Pixels {
  readonly format: string;
  readonly width: number;
  readonly height: number;
}

function pixelsOf(head: Uint8Array): Pixels | undefined {
  const view = new DataView(head.buffer);
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (head.length < 30) return undefined;
  if (text(1, 4) === "PNG") return { format: "PNG", width: view.getUint32(16), height: view.getUint32(20) };
  if (text(0, 4) === "GIF8") {
    return { format: "GIF", width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return webpPixels(view, text(12, 16));
  return head[0] === 0xff && head[1] === 0xd8 ? jpegPixels(view) : undefined;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpPixels(view: DataView, chunk: string): Pixels | undefined {
  const format = "WebP";
  if (chunk === "VP8X") {
    const at = (offset: number) => 1 + view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16);
    return { format, width: at(24), height: at(27) };
  }
  if (chunk === "VP8 ") {
    return { format, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (chunk !== "VP8L") return undefined;
  const bits = view.getUint32(21, true);
  return { format, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

function jpegPixels(view: DataView): Pixels | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return undefined;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { format: "JPEG", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
