import { BACKSLASH, isQuotedByOne } from "../archive/packed-format.js";

/**
 * Compares two offsets of the same bytes, to find repetitions that the packed form replaces by copies. `earlier` and `current` are the
 * offsets, and `end` is the limit of the current one. All lengths are in bytes.
 */

/** Number of equal bytes from the two offsets on. */
export function sameLength(bytes: Uint8Array, earlier: number, current: number, end: number): number {
  let length = 0;
  while (current + length < end && bytes[earlier + length] === bytes[current + length]) length++;
  return length;
}

/**
 * Like {@link sameLength}, but the current bytes repeat the earlier ones inside a JSON string: a backslash precedes each quotation mark and
 * backslash.
 * @returns length at the current offset, with these backslashes
 */
export function quotedLength(bytes: Uint8Array, earlier: number, current: number, end: number): number {
  let [from, to] = [earlier, current];
  while (from < current && to < end) {
    const byte = bytes[from]!;
    if (!isQuotedByOne(byte)) {
      if (bytes[to] !== byte) break;
      to++;
    } else {
      if (to + 1 >= end || bytes[to] !== BACKSLASH || bytes[to + 1] !== byte) break;
      to += 2;
    }
    from++;
  }
  return to - current;
}

/** Length of the earlier bytes that a quoted copy repeats. */
export function unquotedLength(bytes: Uint8Array, current: number, length: number): number {
  let unquoted = 0;
  for (let i = 0; i < length; i += bytes[current + i] === BACKSLASH ? 2 : 1) unquoted++;
  return unquoted;
}

/**
 * Number of equal bytes that directly precede both offsets.
 * @param minimum the current offset never moves back beyond it
 */
export function sameBackwards(bytes: Uint8Array, earlier: number, current: number, minimum: number): number {
  let length = 0;
  while (
    current - length > minimum &&
    earlier - length > 0 &&
    bytes[earlier - length - 1] === bytes[current - length - 1]
  )
    length++;
  return length;
}
