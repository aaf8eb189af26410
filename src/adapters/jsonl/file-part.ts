import { readSync } from "node:fs";
import { type Line, splitLines } from "./read-lines.js";

const LF = 0x0a;

/** Bytes of a file from `from` on. The memory may be used again for the next part. */
export interface FilePart {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** Reads a part of a file into the memory given, less of it where the file was cut meanwhile. */
export function readPart(descriptor: number, from: number, to: number, memory: Uint8Array): FilePart {
  let done = 0;
  while (done < to - from) {
    const read = readSync(descriptor, memory, done, to - from - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return { from, bytes: memory.subarray(0, done) };
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
