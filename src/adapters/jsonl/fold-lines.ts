import type { JsonObject } from "../../domain/json.js";
import type { OpenFile } from "./contained-files.js";
import { type FileEnd, readGrowth } from "./file-growth.js";
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
}

const SHORT_FILE = 4 * 1024;

/** The buffer for short files. */
const memory = new Uint8Array(SHORT_FILE);

/**
 * A value that each record of a file replaces by the next one. Lines that cannot be read are passed over.
 *
 * @throws SourceChangedError for a file that is written over again and again
 */
export function* foldLines<T>(
  file: OpenFile,
  known: FoldEnd<T> | undefined,
  initial: T,
  next: (value: T, record: JsonObject) => T,
): Generator<void, Folded<T>> {
  const { descriptor, identity } = file;
  let value = initial;
  const follow = (line: Line): void => {
    const { record } = parseLine(line);
    if (record !== undefined) value = next(value, record);
  };
  if (known === undefined && identity.size <= SHORT_FILE) {
    eachLine(readPart(descriptor, 0, identity.size, memory), follow);
    return { value, end: undefined };
  }
  return yield* readGrowth(file, known, function* (from, state) {
    value = from === undefined ? initial : from.value;
    const range = { from: from?.offset ?? 0, to: state.identity.size, line: 1 };
    const { offset, tail } = yield* readLines(descriptor, range, follow);
    const end = { ...state, offset, value };
    if (tail !== undefined) follow(tail);
    return { value, end };
  });
}
