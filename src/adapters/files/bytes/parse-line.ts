import { isAscii, isUtf8 } from "node:buffer";
import { SourceChangedError } from "../../../application/errors.js";
import { cutDeep, isJsonObject, type JsonObject, jsonIn } from "../../../domain/json/json.js";
import { BACKSLASH, isWhiteSpace, OPEN_BRACE, QUOTE } from "../../../domain/json/json-bytes.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { type Line, lineIn, NO_OBJECT, NOT_JSON } from "./line.js";

export type ParsedLine =
  | { readonly record: JsonObject; readonly problem: undefined }
  | { readonly record: undefined; readonly problem: string };

/** Latin-1 is cheapest, but correct only for ASCII; the structure is the same. */
export type TextEncoding = "utf8" | "latin1";

export function parseLine({ bytes, from, to, problem }: Line, encoding: TextEncoding = "utf8"): ParsedLine {
  if (problem !== undefined) return { record: undefined, problem };
  let value: unknown;
  try {
    value = JSON.parse(
      encoding === "utf8" ? decodeText(bytes, from, to) : asBuffer(bytes).toString("latin1", from, to),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return { record: undefined, problem: NOT_JSON };
    throw error;
  }
  return isJsonObject(value)
    ? { record: value, problem: undefined }
    : { record: undefined, problem: NO_OBJECT };
}

/** ASCII, which most records are, is only copied. */
export function decodeText(bytes: Uint8Array, from: number, to: number): string {
  const isPlain = isAscii(bytes.subarray(from, to));
  return asBuffer(bytes).toString(isPlain ? "latin1" : "utf8", from, to);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Bytes. A complete parse of longer lines would take much memory. */
const LONG_LINE = 1 << 20;

/** For derived facts: above `LONG_LINE` the long strings are cut, and a record that is long without them becomes empty. */
export function parseRecord(line: Line, encoding?: TextEncoding): ParsedLine {
  if (line.length <= LONG_LINE || line.problem !== undefined) return parseLine(line, encoding);
  const { bytes, from, to } = line;
  const verdict = new JsonLexer([]).read(bytes, from, to);
  if (verdict !== "object") {
    return { record: undefined, problem: verdict === "value" ? NO_OBJECT : NOT_JSON };
  }
  const shortened = parseShortened(bytes, from, to);
  return { record: isJsonObject(shortened) ? shortened : {}, problem: undefined };
}

/**
 * Parses bytes that were a record at an earlier reading.
 * @throws SourceChangedError if they are no longer a record
 */
export function parseRecordBytes(bytes: Uint8Array): JsonObject {
  const { record } = parseRecord(lineIn(bytes));
  if (record === undefined)
    throw new SourceChangedError("A record was written over while it was being read.");
  return record;
}

/** Generous: a killed writer omits one line feed. */
const MOST_PARTS = 1_000;

/** Shared: it stores nothing of the previous text. */
const lexer = new JsonLexer([]);

/**
 * Splits a line with several complete records, which results from an omitted line feed. The last part may be incomplete; a line without a
 * complete object at its beginning stays unchanged.
 */
export function concatenatedParts(line: Line): readonly Line[] {
  const { bytes, to } = line;
  const parts: Line[] = [];
  let from = line.from;
  while (parts.length < MOST_PARTS && bytes[from] === OPEN_BRACE) {
    lexer.read(bytes, from, to);
    if (lexer.valueEnd < 0) break;
    parts.push(partOf(line, from, lexer.valueEnd));
    from = lexer.valueEnd;
  }
  return parts.length === 0 ? [line] : [...parts, partOf(line, from, to)];
}

/** `undefined` for an empty part. */
export function partBehind(line: Line, place: number): Line | undefined {
  if (place <= line.start || line.problem !== undefined) return line;
  const { bytes, to } = line;
  let from = line.from + (place - line.start);
  while (from < to && isWhiteSpace(bytes[from]!)) from++;
  return from < to ? partOf(line, from, to) : undefined;
}

const NONE: readonly JsonObject[] = [];

/** None or several for a faulty line. */
export function recordsOf(line: Line): readonly JsonObject[] {
  const { record } = parseLine(line);
  if (record !== undefined) return [record];
  const parts = concatenatedParts(line);
  return parts.length === 1 ? [] : parts.flatMap((part) => parseLine(part).record ?? NONE);
}

/** Without trailing white space. */
export function partOf(line: Line, from: number, end: number): Line {
  const { bytes, start } = line;
  let to = end;
  while (isWhiteSpace(bytes[to - 1]!)) to--;
  const isText = line.isUtf8 || isUtf8(bytes.subarray(from, to));
  return { ...line, start: start + (from - line.from), length: to - from, from, to, isUtf8: isText };
}

/** Above `LONG_LINE` long strings are cut. `undefined` for invalid JSON, and for a value that is long without its strings. */
export function shortenedValue(bytes: Uint8Array, from: number, to: number): unknown {
  return to - from <= LONG_LINE
    ? jsonIn(decodeText(bytes, from, to))
    : cutDeep(parseShortened(bytes, from, to));
}

const RETAINED_OF_STRING = 4 * 1024;
const RETAINED_OF_TEXT = 1 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The structure of a record with a huge value stays readable in little memory. A cut string ends with the number of its missing bytes;
 * `undefined` for invalid JSON, and for a text that is long without its strings.
 */
export function parseShortened(bytes: Uint8Array, from: number, to: number): unknown {
  const parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    size += part.length;
    if (size <= RETAINED_OF_TEXT) parts.push(part);
  };
  let retainedFrom = from;
  for (let i = from; i < to; i++) {
    if (bytes[i] !== QUOTE) continue;
    const { cut, end } = endOfString(bytes, i + 1, to);
    if (cut < end) {
      keep(bytes.subarray(retainedFrom, cut));
      keep(encoder.encode(` … ${end - cut} bytes more`));
      retainedFrom = end;
    }
    i = end;
  }
  if (retainedFrom < to) keep(bytes.subarray(retainedFrom, to));
  if (size > RETAINED_OF_TEXT) return undefined;
  try {
    return JSON.parse(decoder.decode(Buffer.concat(parts)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The cut is before a complete character, never in an escape or a sequence. */
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
    if (cut === -1 && !escaped && (byte & 0xc0) !== 0x80 && i - from >= RETAINED_OF_STRING) cut = i;
    escaped = byte === BACKSLASH && !escaped;
  }
  return { cut: to, end: to };
}
