import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { faultText } from "../../../application/errors.js";
import { LF } from "../../../domain/json/json-bytes.js";

export const NUL = 0x00;

export const NOT_JSON = "is not valid JSON";
export const NO_OBJECT = "is valid JSON, but no object";
export const NOT_UTF8 = "is not valid UTF-8: U+FFFD replaces the invalid bytes";

export function faultReason(error: unknown): string {
  return `made the inspector fail (${faultText(error)}), and is skipped`;
}

export function sessionFault(fault: string): string {
  return `made the inspector fail (${fault}): this list lacks its facts`;
}

/** A line that is not blank. Only valid until the next one. */
export interface Line {
  /** From 1, blank lines included. Only meaningful if the file was read from its beginning. */
  readonly number: number;
  /** Offset in the file; excludes surrounding white space. */
  readonly start: number;
  readonly length: number;
  /** Memory of the line; empty for a line that is too long. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly isUtf8: boolean;
  /** Reason of unreadability, if already determined. */
  readonly problem: string | undefined;
}

/** The part must begin with a line; the rest after the last line feed counts as one. */
export function eachLine({ from: start, bytes }: FilePart, onLine: (line: Line) => void): void {
  const areUtf8 = isUtf8(bytes);
  let from = start === 0 && hasByteOrderMark(bytes, bytes.length) ? 3 : 0;
  for (let number = 1; from < bytes.length; number++) {
    const index = bytes.indexOf(LF, from);
    const to = index === -1 ? bytes.length : index;
    const line = lineOf(bytes, from, to, number, start, areUtf8);
    if (line !== undefined) onLine(line);
    from = to + 1;
  }
}

/**
 * @param isValidUtf8 false if the bytes need a check
 * @returns `undefined` for a blank line
 */
export function lineOf(
  bytes: Uint8Array,
  begin: number,
  end: number,
  number: number,
  at: number,
  isValidUtf8: boolean,
): Line | undefined {
  let from = begin;
  let to = end;
  while (from < to && isBlank(bytes[from]!)) from++;
  while (to > from && isBlank(bytes[to - 1]!)) to--;
  if (from === to) return undefined;
  const isText = isValidUtf8 || isUtf8(bytes.subarray(from, to));
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

export function lineIn(bytes: Uint8Array): Line {
  const { length } = bytes;
  return { number: 1, start: 0, length, bytes, from: 0, to: length, isUtf8: true, problem: undefined };
}

export function problemLine(number: number, start: number, length: number, problem: string): Line {
  return { number, start, length, bytes: new Uint8Array(0), from: 0, to: 0, isUtf8: true, problem };
}

/** A carriage return belongs to the line end. NUL also counts: a power failure leaves it before the next record. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NUL;
}

export function hasByteOrderMark(bytes: Uint8Array, length: number): boolean {
  return length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The memory may be reused for the next part. */
export interface FilePart {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** Returns less if the file was cut meanwhile. */
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

/** Searches from the end for a byte that is neither white space nor NUL; 0 without one. */
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

/** Begins with the first line that begins in the part; empty without one. */
export function completeLines({ from, bytes }: FilePart): FilePart {
  const start = from === 0 ? 0 : bytes.indexOf(LF) + 1;
  return start === 0 && from > 0
    ? { from: from + bytes.length, bytes: bytes.subarray(bytes.length) }
    : { from: from + start, bytes: bytes.subarray(start) };
}
