import type { JsonObject } from "../../domain/json/json.js";
import { LF } from "../../domain/json/json-bytes.js";
import type { OpenFile } from "../files/bytes/contained-files.js";
import { type FileEnd, readGrowth } from "../files/bytes/file-growth.js";
import { eachLine, type Line, readPart } from "../files/bytes/line.js";
import { concatenatedParts, parseLine } from "../files/bytes/parse-line.js";
import { readLines } from "../files/bytes/read-lines.js";

export interface FoldEnd<T> extends FileEnd {
  readonly value: T;
  readonly problems: number;
}

export interface Folded<T> {
  /** Includes the last line if that line is complete without a line feed. */
  readonly value: T;
  readonly problems: number;
  /** Start of the next fold if the file has only grown. `undefined` for a short file, which is read again. */
  readonly end: FoldEnd<T> | undefined;
  /** False if the file has more lines than one fold reads. The next fold continues from `end`. */
  readonly isComplete: boolean;
}

/** Approximate; some seconds of work. */
const LINES_AT_ONCE = 500_000;

const SHORT_FILE = 4 * 1024;

const memory = new Uint8Array(SHORT_FILE);

export interface Fold<T> {
  readonly initial: T;
  readonly next: (value: T, record: JsonObject) => T;
  readonly problemOf: (record: JsonObject) => string | undefined;
}

/**
 * Skips and counts lines that cannot be read.
 * @param linesAtOnce approximate maximum number of lines
 * @throws SourceChangedError for a file that is overwritten again and again
 */
export function* foldLines<T>(
  file: OpenFile,
  previous: FoldEnd<T> | undefined,
  { initial, next, problemOf }: Fold<T>,
  linesAtOnce: number = LINES_AT_ONCE,
): Generator<void, Folded<T>> {
  const { descriptor, identity } = file;
  let value = initial;
  let problems = 0;
  let lines = 0;
  const followPart = (part: Line): boolean => {
    const { record } = parseLine(part);
    if (record === undefined) return false;
    value = next(value, record);
    if (!part.isUtf8 || problemOf(record) !== undefined) problems++;
    return true;
  };
  const follow = (line: Line): void => {
    lines++;
    if (followPart(line)) return;
    const parts = concatenatedParts(line);
    for (const part of parts) if (parts.length === 1 || !followPart(part)) problems++;
  };
  /** A writer may still be adding to the last line. */
  const followTail = (tail: Line): void => {
    for (const part of concatenatedParts(tail)) if (!followPart(part)) return;
  };
  if (previous === undefined && identity.size <= SHORT_FILE) {
    const { bytes } = readPart(descriptor, 0, identity.size, memory);
    const completeLength = bytes.lastIndexOf(LF) + 1;
    eachLine({ from: 0, bytes: bytes.subarray(0, completeLength) }, follow);
    eachLine({ from: completeLength, bytes: bytes.subarray(completeLength) }, followTail);
    return { value, problems, end: undefined, isComplete: true };
  }
  return yield* readGrowth(file, previous, function* (from, state) {
    value = from === undefined ? initial : from.value;
    problems = from?.problems ?? 0;
    lines = 0;
    const range = { from: from?.offset ?? 0, to: state.identity.size, line: 1 };
    const isEnough = () => lines >= linesAtOnce;
    const { offset, tail, isComplete } = yield* readLines(descriptor, range, follow, isEnough);
    const end = { ...state, offset, value, problems };
    if (tail !== undefined) followTail(tail);
    return { value, problems, end, isComplete };
  });
}
