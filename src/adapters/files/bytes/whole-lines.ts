import { CLOSE_BRACE, COMMA, LF, OPEN_BRACKET } from "../../../domain/json/json-bytes.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { isBlank } from "./line.js";

/**
 * Records of a file are read at their recorded offsets. An overwritten file has its line ends elsewhere, so the bytes at these offsets
 * are not a record. Each record is therefore read with the byte before and the byte after it.
 */

/** A byte order mark may lie before the first record. */
const BYTE_ORDER_MARK = 3;

/** A part of a file, to be read into memory that has one byte more on both sides. */
export interface PartAround {
  readonly from: number;
  readonly into: Uint8Array;
}

/**
 * Reads the part of a file from `from` to `to` with the surrounding bytes. The file's beginning and its end count as line feeds.
 *
 * @param memory has two bytes more than the part; the part itself begins at its second byte
 * @param size end of the file when its records were located: the last record may lack a line feed
 */
export function partAround(from: number, to: number, size: number, memory: Uint8Array): PartAround {
  memory[0] = LF;
  memory[to - from + 1] = LF;
  const before = from > BYTE_ORDER_MARK ? 1 : 0;
  const behind = to < size ? 1 : 0;
  return { from: from - before, into: memory.subarray(1 - before, to - from + 1 + behind) };
}

/** True if a record can begin after a byte: a record of another line, or after a record whose line end a writer omitted. */
export function canBeginBehind(byte: number): boolean {
  return isOutside(byte) || byte === CLOSE_BRACE;
}

/** True if an element of an array can begin after a byte. */
export function isBetween(byte: number): boolean {
  return byte === COMMA || byte === OPEN_BRACKET;
}

/** True if bytes are one complete object: a record that shares its line ends there, regardless of the following bytes. */
export function* isWholeObject(bytes: Uint8Array, from: number, to: number): Generator<void, boolean> {
  return (yield* new JsonLexer([]).readInSteps(bytes, from, to)) === "object";
}

/** True if bytes can be between two records: at least one line end, or only white space. */
export function isGap(bytes: Uint8Array, from: number, to: number): boolean {
  return hasLineFeed(bytes, from, to) || bytes.subarray(from, to).every(isOutside);
}

export function hasLineFeed(bytes: Uint8Array, from: number, to: number): boolean {
  const at = bytes.indexOf(LF, from);
  return at !== -1 && at < to;
}

/** True for a line feed, or for a byte between lines that belongs to no record. */
export function isOutside(byte: number): boolean {
  return byte === LF || isBlank(byte);
}
