import type { JsonObject } from "../../domain/json.js";
import type { OpenFile } from "./contained-files.js";
import { type FileEnd, goesOnFrom, seamBefore } from "./file-growth.js";
import { parseLine } from "./parse-line.js";
import { type Line, readLines } from "./read-lines.js";

/** Where a fold over a file ended, and its value there. */
export interface FoldEnd<T> extends FileEnd {
  readonly value: T;
}

export interface Folded<T> {
  /** The value of the whole file, its last line included where that is whole without a line feed. */
  readonly value: T;
  /** For the next fold over the file: it goes on from there where the file has only grown. */
  readonly end: FoldEnd<T>;
}

/** A value that each record of a file replaces by the next one. Lines that cannot be read are passed over. */
export function* foldLines<T>(
  { descriptor, identity }: OpenFile,
  known: FoldEnd<T> | undefined,
  initial: T,
  next: (value: T, record: JsonObject) => T,
): Generator<void, Folded<T>> {
  const goesOn = known !== undefined && goesOnFrom(known, descriptor, identity);
  const after = (value: T, line: Line): T => {
    const { record } = parseLine(line);
    return record === undefined ? value : next(value, record);
  };
  let value = goesOn ? known.value : initial;
  const range = { from: goesOn ? known.offset : 0, to: identity.size, line: 1 };
  const { offset, tail } = yield* readLines(descriptor, range, (line) => {
    value = after(value, line);
  });
  return {
    value: tail === undefined ? value : after(value, tail),
    end: { identity, offset, seam: seamBefore(descriptor, offset), value },
  };
}
