import { JsonLexer } from "../../../domain/json/json-lexer.js";

/** In characters. Longer text is checked without parsing, because objects take many times its size. */
const LONG_TEXT = 1 << 20;

const encoder = new TextEncoder();

/** In one line; `undefined` for other text. The reader of the line checks its depth. */
export function objectIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || !isObject(trimmed)) return undefined;
  return /[\n\r]/.test(trimmed) ? trimmed.replace(/[\n\r]+/g, " ") : trimmed;
}

function isObject(text: string): boolean {
  if (text.length > LONG_TEXT) {
    const bytes = encoder.encode(text);
    return new JsonLexer([]).read(bytes, 0, bytes.length) === "object";
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
