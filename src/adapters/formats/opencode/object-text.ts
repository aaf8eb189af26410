import { JsonLexer } from "../../../domain/json/json-lexer.js";

/** Of a longer text no objects are made to find out whether it is JSON: they take many times its size. In characters. */
const LONG_TEXT = 1 << 20;

const encoder = new TextEncoder();

/** The text of a JSON object in one line; `undefined` for any other text. How deep it is, whoever reads its line looks at. */
export function objectIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || !isObject(trimmed)) return undefined;
  // A string of JSON holds no line end: each one lies between tokens.
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
