import { BACKSLASH, QUOTE } from "../../../domain/json/json-bytes.js";

/** How many bytes of a string are kept, and how many of the whole text. */
const KEPT_OF_STRING = 4 * 1024;
const KEPT_OF_TEXT = 1 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Parses a long JSON text with its long strings cut, so that the structure of a record with a huge value stays readable in
 * little memory. A cut string ends with how many bytes of it are missing. `undefined` where the text is no JSON, or is long
 * without its strings.
 */
export function parseShortened(bytes: Uint8Array, from: number, to: number): unknown {
  const parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    size += part.length;
    if (size <= KEPT_OF_TEXT) parts.push(part);
  };
  let keptFrom = from;
  for (let i = from; i < to; i++) {
    if (bytes[i] !== QUOTE) continue;
    const { cut, end } = endOfString(bytes, i + 1, to);
    if (cut < end) {
      keep(bytes.subarray(keptFrom, cut));
      keep(encoder.encode(` … ${end - cut} bytes more`));
      keptFrom = end;
    }
    i = end;
  }
  if (keptFrom < to) keep(bytes.subarray(keptFrom, to));
  if (size > KEPT_OF_TEXT) return undefined;
  try {
    return JSON.parse(decoder.decode(Buffer.concat(parts)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Where a string ends, and where it is cut: only in front of a whole character, not in an escape or a sequence. */
function endOfString(
  bytes: Uint8Array,
  from: number,
  to: number,
): { readonly cut: number; readonly end: number } {
  let cut = -1;
  let escaped = false;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE && !escaped) return { cut: cut === -1 ? i : cut, end: i };
    if (cut === -1 && !escaped && (byte & 0xc0) !== 0x80 && i - from >= KEPT_OF_STRING) cut = i;
    escaped = byte === BACKSLASH && !escaped;
  }
  return { cut: to, end: to };
}
