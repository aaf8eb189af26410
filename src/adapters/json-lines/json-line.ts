import { isJsonObject, type JsonObject } from "../../domain/json.js";

/**
 * One line of a file that is not blank: a record, or one that could not be read. It is only lent: the next line may come in
 * the same object.
 */
export interface JsonLine {
  /** Counted from 1, blank lines included. Only meaningful where the file was read from its beginning. */
  readonly number: number;
  /** Where the record starts in the file, and how long it is, in bytes; white space around it is no part of it. */
  readonly start: number;
  readonly length: number;
  /**
   * The record; only the members that were asked for where some were, or where it is longer than {@link LONG_LINE}: of such a
   * one, for whoever asked for that, all of it with its long strings cut.
   */
  readonly value: JsonObject | undefined;
  /** Why there is no record. */
  readonly problem: string | undefined;
  /** The members asked for, by the index of their path, without making objects: where only members were asked for. */
  readonly members?: MemberValues;
}

/** The values of the members of a record that was only scanned. */
export interface MemberValues {
  /** The text of a string, or `""`. */
  text(path: number): string;
  /** A sequence as a key, as {@link sequenceOf} gives it. */
  sequence(path: number): number;
  /** Milliseconds since the epoch; `NaN` for a value that is no instant. */
  instant(path: number): number;
}

/** Longer lines are read in pieces and never held as a whole. */
export const LONG_LINE = 1 << 20;

export const NOT_JSON = "is not valid JSON";
export const NO_OBJECT = "is valid JSON, but no object";

/** A byte order mark is part of what it decodes: at the start of a line it is no JSON. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Parses a line that is in memory.
 *
 * @returns `undefined` for a blank line
 */
export function parseLine(
  bytes: Uint8Array,
  from: number,
  to: number,
  number: number,
  offset: number,
): JsonLine | undefined {
  let start = from;
  let end = to;
  while (start < end && isBlank(bytes[start]!)) start++;
  while (end > start && isBlank(bytes[end - 1]!)) end--;
  if (start === end) return undefined;
  const place = { number, start: offset + start - from, length: end - start };
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes.subarray(start, end)));
  } catch {
    return { ...place, value: undefined, problem: NOT_JSON };
  }
  return isJsonObject(value)
    ? { ...place, value, problem: undefined }
    : { ...place, value: undefined, problem: NO_OBJECT };
}

/** White space inside a line: a carriage return is part of its end, and counts here. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
