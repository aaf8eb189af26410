import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { faultText } from "../../../application/errors.js";
import { LF } from "../../../domain/json/json-bytes.js";

export const NUL = 0x00;

export const NOT_JSON = "is not valid JSON";
export const NO_OBJECT = "is valid JSON, but no object";
export const NOT_UTF8 = "is no valid UTF-8: U+FFFD is shown in the place of what is invalid";

/** Returns the reason for skipping a line after an unexpected failure. */
export function faultReason(error: unknown): string {
  return `made the inspector fail (${faultText(error)}), and is left out`;
}

/** Returns the reason for a session without data after an unexpected failure. */
export function sessionFault(fault: string): string {
  return `made the inspector fail (${fault}): nothing of it is known in this list`;
}

/** One line of a file that is not blank. It is only valid until the next one comes. */
export interface Line {
  /** Counted from 1, blank lines included. Only meaningful where the file was read from its beginning. */
  readonly number: number;
  /** Its start in the file, in bytes; surrounding white space is excluded. */
  readonly start: number;
  readonly length: number;
  /** The memory that it lies in, and where. Nothing for a line that is too long to be held. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly isUtf8: boolean;
  /** Reason why it cannot be read, if that is already determined. */
  readonly problem: string | undefined;
}

/** Visits the lines of a part that begins with a line; the rest after the last line feed counts as a line. */
export function eachLine({ from: start, bytes }: FilePart, onLine: (line: Line) => void): void {
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
 * The line between two places.
 *
 * @param isKnownUtf8 false where it has to be looked at
 * @returns `undefined` for a blank line
 */
export function lineOf(
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

/** Bytes as a line. */
export function lineIn(bytes: Uint8Array): Line {
  const { length } = bytes;
  return { number: 1, start: 0, length, bytes, from: 0, to: length, isUtf8: true, problem: undefined };
}

/** A line that is not held, and why. */
export function problemLine(number: number, start: number, length: number, problem: string): Line {
  return { number, start, length, bytes: new Uint8Array(0), from: 0, to: 0, isUtf8: true, problem };
}

/**
 * White space inside a line: a carriage return is part of its end, and counts here. So does NUL, which a power failure leaves in
 * front of the next record.
 */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NUL;
}

export function hasByteOrderMark(bytes: Uint8Array, length: number): boolean {
  return length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Bytes of a file from `from` on. The memory may be used again for the next part. */
export interface FilePart {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** Reads a part of a file into the caller's buffer; less where the file was cut meanwhile. */
export function readPart(descriptor: number, from: number, to: number, memory: Uint8Array): FilePart {
  let done = 0;
  while (done < to - from) {
    const read = readSync(descriptor, memory, done, to - from - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return { from, bytes: memory.subarray(0, done) };
}

const CHUNK = 256 * 1024;

/** Returns the offset after the last byte that is neither white space nor NUL, searching from the end; 0 without such a byte. */
export function* endOfContent(descriptor: number, size: number): Generator<void, number> {
  const memory = Buffer.allocUnsafeSlow(Math.min(CHUNK, size));
  for (let to = size; to > 0; ) {
    const from = Math.max(0, to - CHUNK);
    const { bytes } = readPart(descriptor, from, to, memory);
    const end = endOfText(bytes);
    if (end > 0) return from + end;
    to = from;
    yield;
  }
  return 0;
}

function endOfText(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && (isBlank(bytes[end - 1]!) || bytes[end - 1] === LF)) end--;
  return end;
}

/** The part from the first line on that begins in it; empty where none does. */
export function wholeLines({ from, bytes }: FilePart): FilePart {
  const start = from === 0 ? 0 : bytes.indexOf(LF) + 1;
  return start === 0 && from > 0
    ? { from: from + bytes.length, bytes: bytes.subarray(bytes.length) }
    : { from: from + start, bytes: bytes.subarray(start) };
}
