import { isAscii } from "node:buffer";
import { SourceChangedError } from "../../../application/errors.js";
import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { parseShortened } from "../search/shortened-json.js";
import { type Line, NO_OBJECT, NOT_JSON } from "./line.js";

/** The record of a line, or why it has none. */
export type ParsedLine =
  | { readonly record: JsonObject; readonly problem: undefined }
  | { readonly record: undefined; readonly problem: string };

/** How the bytes of a line become text. Latin-1 costs least, and is right for ASCII alone; it finds the same structure. */
export type TextEncoding = "utf8" | "latin1";

/** The record of a line, parsed whole. */
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

/** UTF-8 as text. Text of ASCII alone, which most records are, is only copied. */
export function decodeText(bytes: Uint8Array, from: number, to: number): string {
  const isPlain = isAscii(bytes.subarray(from, to));
  return asBuffer(bytes).toString(isPlain ? "latin1" : "utf8", from, to);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Of a longer line the long strings are cut: it would take much memory as a whole. */
const LONG_LINE = 1 << 20;

/**
 * The record of a line, for deriving: of one of more than a megabyte with its long strings cut. A record that is long without its
 * strings is an empty one.
 */
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
 * The same of a line that was read before, and was a record then.
 *
 * @throws SourceChangedError where it is none now
 */
export function parseRecordBytes(bytes: Uint8Array): JsonObject {
  const line = {
    number: 1,
    start: 0,
    length: bytes.length,
    bytes,
    from: 0,
    to: bytes.length,
    isUtf8: true,
    problem: undefined,
  };
  const { record } = parseRecord(line);
  if (record === undefined)
    throw new SourceChangedError("A record was written over while it was being read.");
  return record;
}
