import type { ModelUsage } from "../../domain/session/model-usage.js";
import { envelopeEvent } from "../../domain/session/session-activity.js";
import { UncountedCalls, type UncountedSoFar } from "../../domain/session/used-calls.js";
import type { OpenFile } from "../files/bytes/contained-files.js";
import { type FileEnd, readGrowth } from "../files/bytes/file-growth.js";
import { completeLines, eachLine, type Line, readPart } from "../files/bytes/line.js";
import { concatenatedParts, parseLine } from "../files/bytes/parse-line.js";
import { readLines } from "../files/bytes/read-lines.js";

export interface CountedCalls extends FileEnd, UncountedSoFar {
  readonly countedUntil: number | undefined;
}

export interface ReadCalls {
  readonly used: readonly ModelUsage[];
  readonly end: CountedCalls;
  /** False if there are more lines than one count reads. The next count continues from `end`. */
  readonly isComplete: boolean;
}

/** Approximate; some seconds of work. */
const BYTES_AT_ONCE = 512 * 1024 * 1024;

/** Distance in bytes of the first backward search for an uncounted line. Each further search goes further back. */
const FIRST_LOOK = 64 * 1024;
const LOOK_FURTHER = 8;

const LOOK = 64 * 1024;

export function* uncountedCalls(
  file: OpenFile,
  counted: CountedCalls | undefined,
  countedUntil: number | undefined,
): Generator<void, ReadCalls> {
  const before = counted?.countedUntil === countedUntil ? counted : undefined;
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
      for (const part of concatenatedParts(line)) count(part);
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

/** Only a line with one of these marks is parsed. Few lines have them. */
const MARKS = ['"usage"', '"tokens"', '.start"', "_start", '.before"'];

function mayCount({ bytes, from, to }: Line): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  return MARKS.some((mark) => text.includes(mark));
}

function beginOfUncounted(descriptor: number, size: number, countedUntil: number | undefined): number {
  if (countedUntil === undefined) return 0;
  const memory = new Uint8Array(LOOK);
  for (let back = FIRST_LOOK; back < size; back *= LOOK_FURTHER) {
    const from = size - back;
    const part = completeLines(readPart(descriptor, from, Math.min(size, from + LOOK), memory));
    let instant: number | undefined;
    eachLine(part, (line) => {
      const { record } = instant === undefined ? parseLine(line) : {};
      instant = record && envelopeEvent(record).instant;
    });
    if (instant !== undefined && instant <= countedUntil) return part.from;
  }
  return 0;
}
