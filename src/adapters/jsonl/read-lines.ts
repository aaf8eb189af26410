import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";

/** How much is read between two pauses. */
const CHUNK = 256 * 1024;

/** Longer lines are not held: they are skipped, and reported as too long. */
const MAX_LINE = 64 * 1024 * 1024;

const LF = 0x0a;

export const NOT_JSON = "is not valid JSON";
export const NO_OBJECT = "is valid JSON, but no object";
export const NOT_UTF8 = "is no valid UTF-8: U+FFFD is shown in the place of what is invalid";
const TOO_LONG = "is longer than 64 MiB";

/** One line of a file that is not blank. It is only valid until the next one comes. */
export interface Line {
  /** Counted from 1, blank lines included. Only meaningful where the file was read from its beginning. */
  readonly number: number;
  /** Where it starts in the file, in bytes; white space around it is no part of it. */
  readonly start: number;
  readonly length: number;
  /** The memory that it lies in, and where. Nothing for a line that is too long to be held. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** Whether its bytes are UTF-8. */
  readonly isUtf8: boolean;
  /** Why it cannot be read, where that is known already. */
  readonly problem: string | undefined;
}

/** Where a reading of lines starts, and what it stops short of. */
export interface LineRange {
  /** The start of a line. */
  readonly from: number;
  /** Bytes from there on are not read: the size of the file when it was looked up. */
  readonly to: number;
  /** The number of the first line. */
  readonly line: number;
}

/** Where a reading of lines ended. */
export interface LineEnd {
  /** Behind the last line that has an end. */
  readonly offset: number;
  /** The number of the line that starts there. */
  readonly line: number;
  /** What lies behind it, where the file does not end with a line feed: it may still be being written. */
  readonly tail: Line | undefined;
}

/**
 * Reads a file of JSON Lines in chunks and gives each line that is not blank. It waits for the disk, so it belongs into a
 * thread; without one, it stops the process for a chunk at a time.
 */
export function* readLines(
  descriptor: number,
  range: LineRange,
  onLine: (line: Line) => void,
): Generator<void, LineEnd> {
  const { to } = range;
  let buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(CHUNK, to - range.from)));
  /** Where the buffer lies in the file, and how many of its bytes belong to a line that was begun. */
  let at = range.from;
  let held = 0;
  let number = range.line;
  let skipped = 0;
  while (at + held < to) {
    const length = Math.min(buffer.length - held, to - at - held);
    const read = readSync(descriptor, buffer, held, length, at + held);
    if (read === 0) break;
    const end = held + read;
    let begin = at === 0 && hasByteOrderMark(buffer, end) ? 3 : 0;
    let lineFeed = buffer.indexOf(LF, held);
    // All lines at once: a call for each would cost more than the test.
    const areUtf8 = isUtf8(buffer.subarray(begin, Math.max(begin, buffer.lastIndexOf(LF, end - 1))));
    while (lineFeed !== -1 && lineFeed < end) {
      const line =
        skipped > 0
          ? tooLong(number, at - skipped, skipped)
          : lineOf(buffer, begin, lineFeed, number, at, areUtf8);
      skipped = 0;
      number++;
      if (line !== undefined) onLine(line);
      begin = lineFeed + 1;
      lineFeed = buffer.indexOf(LF, begin);
    }
    if (begin === 0 && end >= MAX_LINE) {
      skipped += end;
      begin = end;
    }
    buffer.copyWithin(0, begin, end);
    held = end - begin;
    at += begin;
    if (held === buffer.length) buffer = grown(buffer);
    yield;
  }
  const begin = at === 0 && hasByteOrderMark(buffer, held) ? 3 : 0;
  const tail = skipped > 0 ? undefined : lineOf(buffer, begin, held, number, at, false);
  return { offset: at - skipped, line: number, tail };
}

/** The lines of a part of a file that is in memory; what lies behind the last line feed is one of them. */
export function splitLines(bytes: Uint8Array, start: number, onLine: (line: Line) => void): void {
  const areUtf8 = isUtf8(bytes);
  let from = start === 0 && hasByteOrderMark(bytes, bytes.length) ? 3 : 0;
  for (let number = 1; from < bytes.length; number++) {
    const found = bytes.indexOf(LF, from);
    const to = found === -1 ? bytes.length : found;
    const line = lineOf(bytes, from, to, number, start, areUtf8);
    if (line !== undefined) onLine(line);
    from = to + 1;
  }
}

/**
 * @param isKnownUtf8 false where it has to be looked at
 * @returns `undefined` for a blank line
 */
function lineOf(
  bytes: Uint8Array,
  begin: number,
  end: number,
  number: number,
  at: number,
  isKnownUtf8: boolean,
): Line | undefined {
  let from = begin;
  let to = end;
  while (from < to && isBlank(bytes[from]!)) from++;
  while (to > from && isBlank(bytes[to - 1]!)) to--;
  if (from === to) return undefined;
  const isText = isKnownUtf8 || isUtf8(bytes.subarray(from, to));
  return {
    number,
    start: at + from,
    length: to - from,
    bytes,
    from,
    to,
    isUtf8: isText,
    problem: undefined,
  };
}

function tooLong(number: number, start: number, length: number): Line {
  const bytes = new Uint8Array(0);
  return { number, start, length, bytes, from: 0, to: 0, isUtf8: true, problem: TOO_LONG };
}

function grown(buffer: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.min(buffer.length * 2, MAX_LINE + CHUNK));
  larger.set(buffer);
  return larger;
}

/** White space inside a line: a carriage return is part of its end, and counts here. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function hasByteOrderMark(bytes: Uint8Array, length: number): boolean {
  return length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
