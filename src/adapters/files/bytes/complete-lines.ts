import { CLOSE_BRACE, COMMA, LF, OPEN_BRACKET } from "../../../domain/json/json-bytes.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { isBlank } from "./line.js";

/**
 * Reads records at recorded offsets. The bytes before and after each record show that the file was not overwritten: other content has its
 * line ends elsewhere.
 */

/** A byte order mark may lie before the first record. */
const BYTE_ORDER_MARK = 3;

/** The memory has one more byte on both sides. */
export interface PartAround {
  readonly from: number;
  readonly into: Uint8Array;
}

/**
 * Both ends of the file count as line feeds.
 * @param memory two bytes longer than the part, which begins at its second byte
 * @param size end of the file when its records were located: the last record may lack a line feed
 */
export function partAround(from: number, to: number, size: number, memory: Uint8Array): PartAround {
  memory[0] = LF;
  memory[to - from + 1] = LF;
  const before = from > BYTE_ORDER_MARK ? 1 : 0;
  const behind = to < size ? 1 : 0;
  return { from: from - before, into: memory.subarray(1 - before, to - from + 1 + behind) };
}

/** A record also begins after another one whose line feed a writer omitted. */
export function canBeginBehind(byte: number): boolean {
  return isOutside(byte) || byte === CLOSE_BRACE;
}

export function isBetween(byte: number): boolean {
  return byte === COMMA || byte === OPEN_BRACKET;
}

/** Such a record ends there, regardless of the following bytes. */
export function* isCompleteObject(bytes: Uint8Array, from: number, to: number): Generator<void, boolean> {
  return (yield* new JsonLexer([]).readInSteps(bytes, from, to)) === "object";
}

/** True for bytes with a line feed, and for white space only. */
export function isGap(bytes: Uint8Array, from: number, to: number): boolean {
  return hasLineFeed(bytes, from, to) || bytes.subarray(from, to).every(isOutside);
}

export function hasLineFeed(bytes: Uint8Array, from: number, to: number): boolean {
  const at = bytes.indexOf(LF, from);
  return at !== -1 && at < to;
}

export function isOutside(byte: number): boolean {
  return byte === LF || isBlank(byte);
}
