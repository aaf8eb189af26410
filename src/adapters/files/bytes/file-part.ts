import { readSync } from "node:fs";
import { LF } from "../../../domain/json/json-bytes.js";
import { isBlank, type Line, splitLines } from "./line.js";

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

/** Where the last byte lies that is neither white space nor NUL, plus one; searched from the end on. 0 where there is none. */
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
  const last = bytes.length - 1;
  const isUniform =
    last > 0 &&
    (isBlank(bytes[0]!) || bytes[0] === LF) &&
    Buffer.compare(bytes.subarray(1), bytes.subarray(0, last)) === 0;
  if (isUniform) return 0;
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

/** The lines of a part that begins with one. What lies behind the last line feed counts as one of them. */
export function eachLine({ from, bytes }: FilePart, onLine: (line: Line) => void): void {
  splitLines(bytes, from, onLine);
}

/** The line around a place in a part, as a part. */
export function lineAround({ from, bytes }: FilePart, index: number): FilePart {
  const start = bytes.lastIndexOf(LF, index) + 1;
  const end = bytes.indexOf(LF, index);
  return { from: from + start, bytes: bytes.subarray(start, end === -1 ? bytes.length : end) };
}
