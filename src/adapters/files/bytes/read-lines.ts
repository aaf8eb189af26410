import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { LF } from "../../../domain/json/json-bytes.js";
import { hasByteOrderMark, isBlank, type Line, lineOf, NUL, problemLine } from "./line.js";

export const CHUNK = 256 * 1024;

/** Longer lines are skipped, and reported as too long. */
export const MAX_LINE = 64 * 1024 * 1024;

export const TOO_LONG = "is longer than 64 MiB";
const HOLDS_NUL = "holds NUL bytes, as a power failure leaves them: what they took the place of is missing";

export interface LineRange {
  readonly from: number;
  /** End of the reading: the size of the file at the lookup. */
  readonly to: number;
  readonly line: number;
}

export interface LineEnd {
  readonly offset: number;
  readonly line: number;
  /** Rest without a line feed: its writer may not be ready. */
  readonly tail: Line | undefined;
  readonly isComplete: boolean;
}

/**
 * Waits for the disk, so it belongs into a thread; without one it blocks the process for a chunk at a time.
 * @param isEnough called before each chunk: true stops the reading. Default is to read everything
 */
export function* readLines(
  descriptor: number,
  range: LineRange,
  onLine: (line: Line) => void,
  isEnough: () => boolean = () => false,
): Generator<void, LineEnd> {
  const reading = new LineReading(descriptor, range, onLine);
  while (reading.hasMore) {
    if (isEnough()) return reading.end(false);
    if (!reading.readChunk()) break;
    yield;
  }
  return reading.end(true);
}

class LineReading {
  readonly #descriptor: number;
  readonly #to: number;
  readonly #onLine: (line: Line) => void;
  #buffer: Buffer;
  /** Offset of the buffer in the file, and number of its bytes in an incomplete line. */
  #at: number;
  #held = 0;
  /** Skipped bytes of a line that is too long for the buffer. */
  #skipped = 0;
  #line: number;
  #lineStart: number;
  #hasNul = false;

  constructor(descriptor: number, { from, to, line }: LineRange, onLine: (line: Line) => void) {
    this.#descriptor = descriptor;
    this.#to = to;
    this.#onLine = onLine;
    this.#at = from;
    this.#line = line;
    this.#lineStart = from;
    this.#buffer = this.#newBuffer();
  }

  get hasMore(): boolean {
    return this.#at + this.#held < this.#to;
  }

  /** @returns false if the file was cut meanwhile */
  readChunk(): boolean {
    const from = this.#at + this.#held;
    const length = Math.min(this.#buffer.length - this.#held, this.#to - from);
    const read = readSync(this.#descriptor, this.#buffer, this.#held, length, from);
    if (read > 0) this.#take(this.#held + read);
    return read > 0;
  }

  end(isComplete: boolean): LineEnd {
    const isTail = isComplete && this.#skipped === 0;
    const tail = isTail ? lineOf(this.#buffer, 0, this.#held, this.#line, this.#at, false) : undefined;
    return { offset: this.#lineStart, line: this.#line, tail, isComplete };
  }

  #take(end: number): void {
    const buffer = this.#buffer;
    const isInLine = this.#held > 0 || this.#skipped > 0;
    const from = this.#at === 0 && !isInLine && hasByteOrderMark(buffer, end) ? 3 : 0;
    let begin = isInLine ? 0 : this.#passBlank(from, end);
    let lineFeed = indexOfLineFeed(buffer, Math.max(begin, this.#held), end);
    // One test for all lines: a call for each would cost more.
    const areUtf8 = lineFeed === -1 || isUtf8(buffer.subarray(begin, buffer.lastIndexOf(LF, end - 1)));
    while (lineFeed !== -1) {
      this.#giveLine(begin, lineFeed, areUtf8);
      begin = this.#passBlank(lineFeed + 1, end);
      lineFeed = indexOfLineFeed(buffer, begin, end);
    }
    if (this.#skipped > 0 || end - begin >= MAX_LINE) this.#skip(end - begin, end);
    else this.#keep(begin, end);
  }

  #giveLine(begin: number, lineFeed: number, isValidUtf8: boolean): void {
    const line =
      this.#skipped > 0
        ? problemLine(this.#line, this.#at + begin - this.#skipped, this.#skipped, TOO_LONG)
        : lineOf(this.#buffer, begin, lineFeed, this.#line, this.#at, isValidUtf8);
    if (this.#hasNul) this.#reportNul();
    if (line !== undefined) this.#onLine(line);
    this.#skipped = 0;
    this.#nextLine(this.#at + lineFeed + 1);
  }

  /** Blank parts may be gigabytes. */
  #passBlank(from: number, end: number): number {
    const buffer = this.#buffer;
    let i = from;
    while (i < end && (isBlank(buffer[i]!) || buffer[i] === LF)) {
      const run = endOfRun(buffer, i, end);
      if (buffer[i] === LF) this.#passLineFeeds(run - i, this.#at + run);
      else if (buffer[i] === NUL) this.#hasNul = true;
      i = run;
    }
    return i;
  }

  #passLineFeeds(count: number, offset: number): void {
    if (this.#hasNul) this.#reportNul();
    this.#line += count - 1;
    this.#nextLine(offset);
  }

  #nextLine(offset: number): void {
    this.#line++;
    this.#lineStart = offset;
  }

  #reportNul(): void {
    this.#hasNul = false;
    this.#onLine(problemLine(this.#line, this.#lineStart, 0, HOLDS_NUL));
  }

  #skip(length: number, end: number): void {
    this.#skipped += length;
    this.#at += end;
    this.#held = 0;
    if (this.#buffer.length > CHUNK) this.#buffer = this.#newBuffer();
  }

  #keep(begin: number, end: number): void {
    this.#buffer.copyWithin(0, begin, end);
    this.#held = end - begin;
    this.#at += begin;
    if (this.#held === this.#buffer.length) this.#buffer = grown(this.#buffer);
  }

  #newBuffer(): Buffer {
    return Buffer.allocUnsafeSlow(Math.max(1, Math.min(CHUNK, this.#to - this.#at)));
  }
}

function indexOfLineFeed(buffer: Buffer, from: number, end: number): number {
  if (from >= end) return -1;
  const index = buffer.indexOf(LF, from);
  return index < end ? index : -1;
}

/** Shorter runs are tested byte by byte. */
const LONG_RUN = 64;

/** Runs at memory speed. */
function endOfRun(buffer: Buffer, from: number, end: number): number {
  const near = Math.min(end, from + LONG_RUN);
  let i = from + 1;
  while (i < near && buffer[i] === buffer[from]) i++;
  if (i < near) return i;
  if (buffer.compare(buffer, from + 1, end, from, end - 1) === 0) return end;
  while (i < end && buffer[i] === buffer[from]) i++;
  return i;
}

export function grown(buffer: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.min(buffer.length * 2, MAX_LINE + CHUNK));
  larger.set(buffer);
  return larger;
}
