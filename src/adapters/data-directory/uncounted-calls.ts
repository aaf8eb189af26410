import { envelopeEvent } from "../../domain/session/session-activity.js";
import { UncountedCalls, type UncountedSoFar } from "../../domain/session/used-calls.js";
import type { ModelUsage } from "../../domain/usage/model-usage.js";
import type { OpenFile } from "../files/bytes/contained-files.js";
import { type FileEnd, readGrowth } from "../files/bytes/file-growth.js";
import { eachLine, type Line, readPart, wholeLines } from "../files/bytes/line.js";
import { gluedParts, parseLine } from "../files/bytes/parse-line.js";
import { readLines } from "../files/bytes/read-lines.js";

/** The calls of a trace that were counted, and where that ended. */
export interface CountedCalls extends FileEnd, UncountedSoFar {
  /** The instant that the log counted to. */
  readonly countedUntil: number | undefined;
}

export interface ReadCalls {
  readonly used: readonly ModelUsage[];
  /** Where the next count goes on, if the file has only grown. */
  readonly end: CountedCalls;
  /** False where there are more lines than are read at a time: the next count goes on from `end`. */
  readonly isComplete: boolean;
}

/** How many bytes are read at a time, about: some seconds of work. */
const BYTES_AT_ONCE = 512 * 1024 * 1024;

/** How far back the first line behind what the log counts is looked for, first; then ever further. */
const FIRST_LOOK = 64 * 1024;
const LOOK_FURTHER = 8;

/** How much is read at such a place: where no line begins in it, it says nothing. */
const LOOK = 64 * 1024;

/** What the model calls of a trace have used that the log of its session does not count yet. */
export function* uncountedCalls(
  file: OpenFile,
  known: CountedCalls | undefined,
  countedUntil: number | undefined,
): Generator<void, ReadCalls> {
  const before = known?.countedUntil === countedUntil ? known : undefined;
  return yield* readGrowth(file, before, function* (from, state) {
    const { size } = state.identity;
    const begin = from?.offset ?? beginOfUncounted(file.descriptor, size, countedUntil);
    const calls = new UncountedCalls(countedUntil, from);
    let taken = 0;
    const count = (part: Line): boolean => {
      const { record } = parseLine(part);
      if (record !== undefined) calls.follow(record);
      return record !== undefined;
    };
    const follow = (line: Line): void => {
      taken += line.length;
      if (!mayCount(line) || count(line)) return;
      for (const part of gluedParts(line)) count(part);
    };
    const { offset, tail, isComplete } = yield* readLines(
      file.descriptor,
      { from: begin, to: size, line: 1 },
      follow,
      () => taken >= BYTES_AT_ONCE,
    );
    const end = { ...state, ...calls.soFar, offset, countedUntil };
    if (tail !== undefined && mayCount(tail)) count(tail);
    return { used: calls.soFar.used, end, isComplete };
  });
}

/** What a line contains that names tokens, or begins a turn, a run or a model call: few do, and only they are parsed. */
const MARKS = ['"usage"', '"tokens"', '.start"', "_start", '.before"'];

function mayCount({ bytes, from, to }: Line): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  return MARKS.some((mark) => text.includes(mark));
}

/** Where a line begins in front of which everything is counted. */
function beginOfUncounted(descriptor: number, size: number, countedUntil: number | undefined): number {
  if (countedUntil === undefined) return 0;
  const memory = new Uint8Array(LOOK);
  for (let back = FIRST_LOOK; back < size; back *= LOOK_FURTHER) {
    const from = size - back;
    const part = wholeLines(readPart(descriptor, from, Math.min(size, from + LOOK), memory));
    let instant: number | undefined;
    eachLine(part, (line) => {
      const { record } = instant === undefined ? parseLine(line) : {};
      instant = record && envelopeEvent(record).instant;
    });
    if (instant !== undefined && instant <= countedUntil) return part.from;
  }
  return 0;
}
