import { CLOSE_BRACE, COMMA, LF, OPEN_BRACKET } from "../../../domain/json/json-bytes.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { isBlank } from "./line.js";

/**
 * Records of a file are read by the places where they were found. A file that was written over has its line ends elsewhere, and
 * what lies at these places is no record then. So each is read with the byte before and the byte behind it.
 */

/** A byte order mark may lie before the first record. */
const BYTE_ORDER_MARK = 3;

/** A part of a file, to be read into memory that has one byte more on both sides. */
export interface PartAround {
  readonly from: number;
  readonly into: Uint8Array;
}

/**
 * The part of a file from `from` to `to` with what is around it. The file's beginning and its end count as line feeds.
 *
 * @param memory has two bytes more than the part; the part itself begins at its second
 * @param size where the file ended when its records were found: its last one may lack a line feed
 */
export function partAround(from: number, to: number, size: number, memory: Uint8Array): PartAround {
  memory[0] = LF;
  memory[to - from + 1] = LF;
  const before = from > BYTE_ORDER_MARK ? 1 : 0;
  const behind = to < size ? 1 : 0;
  return { from: from - before, into: memory.subarray(1 - before, to - from + 1 + behind) };
}

/** Whether a record can begin behind a byte: of another line, or of a record whose line end a writer left out. */
export function canBeginBehind(byte: number): boolean {
  return isOutside(byte) || byte === CLOSE_BRACE;
}

/** Whether an element of an array can begin behind a byte. */
export function isBetween(byte: number): boolean {
  return byte === COMMA || byte === OPEN_BRACKET;
}

/** Whether bytes are one whole object: a record that shares its line ends there, whatever comes behind it. */
export function* isWholeObject(bytes: Uint8Array, from: number, to: number): Generator<void, boolean> {
  return (yield* new JsonLexer([]).readInSteps(bytes, from, to)) === "object";
}

/** Whether bytes can lie between two records: at least one line end, or nothing but white space. */
export function isGap(bytes: Uint8Array, from: number, to: number): boolean {
  return hasLineFeed(bytes, from, to) || bytes.subarray(from, to).every(isOutside);
}

export function hasLineFeed(bytes: Uint8Array, from: number, to: number): boolean {
  const at = bytes.indexOf(LF, from);
  return at !== -1 && at < to;
}

/** A line feed, or what lies between lines and is no part of a record. */
export function isOutside(byte: number): boolean {
  return byte === LF || isBlank(byte);
}
