import type { JsonObject } from "../../domain/json.js";
import type { OpenFile } from "./contained-files.js";
import { type FileEnd, goesOnFrom, seamBefore } from "./file-growth.js";
import { eachLine, readPart } from "./file-part.js";
import { parseLine } from "./parse-line.js";
import { type Line, readLines } from "./read-lines.js";

/** Where a fold over a file ended, and its value there. */
export interface FoldEnd<T> extends FileEnd {
  readonly value: T;
}

export interface Folded<T> {
  /** The value of the whole file, its last line included where that is whole without a line feed. */
  readonly value: T;
  /**
   * Where the next fold continues if the file has only grown. `undefined` for a file so short that reading it again costs no
   * more.
   */
  readonly end: FoldEnd<T> | undefined;
  /** False where the file has more lines than are folded at a time: the next fold goes on from `end`. */
  readonly isComplete: boolean;
}

/** How many lines are folded at a time, about: some seconds of work. */
const LINES_AT_ONCE = 500_000;

const SHORT_FILE = 4 * 1024;

/** The buffer for short files. */
const memory = new Uint8Array(SHORT_FILE);

/**
 * A value that each record of a file replaces by the next one. Lines that cannot be read are passed over.
 *
 * @param linesAtOnce how many lines are folded at most, but for those of a chunk
 */
export function* foldLines<T>(
  { descriptor, identity }: OpenFile,
  known: FoldEnd<T> | undefined,
  initial: T,
  next: (value: T, record: JsonObject) => T,
  linesAtOnce: number = LINES_AT_ONCE,
): Generator<void, Folded<T>> {
  const goesOn = known !== undefined && goesOnFrom(known, descriptor, identity);
  let value = goesOn ? known.value : initial;
  let lines = 0;
  const follow = (line: Line): void => {
    lines++;
    const { record } = parseLine(line);
    if (record !== undefined) value = next(value, record);
  };
  if (!goesOn && identity.size <= SHORT_FILE) {
    eachLine(readPart(descriptor, 0, identity.size, memory), follow);
    return { value, end: undefined, isComplete: true };
  }
  const range = { from: goesOn ? known.offset : 0, to: identity.size, line: 1 };
  const isEnough = () => lines >= linesAtOnce;
  const { offset, tail, isComplete } = yield* readLines(descriptor, range, follow, isEnough);
  const end = { identity, offset, seam: seamBefore(descriptor, offset), value };
  if (tail !== undefined) follow(tail);
  return { value, end, isComplete };
}
