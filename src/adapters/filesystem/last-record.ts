import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { eachLine, type FilePart, readPart, wholeLines } from "../jsonl/file-part.js";
import { parseLine } from "../jsonl/parse-line.js";
import type { Line } from "../jsonl/read-lines.js";
import { ShortenedJson } from "../jsonl/shortened-json.js";

/** Records up to this length are parsed whole; of a longer one, the long strings are cut first. */
const SHORT_RECORD = 256 * 1024;

/** Of each end so many lines are tried, the last ones: more that are no records are no log. */
const TRIED_LINES = 64;

const LF = 0x0a;

/** A longer end is not searched: no line that long is a record. */
const LONGEST_END = 128 * 1024 * 1024;

/**
 * The last record of a log whose last lines are huge, or no records.
 *
 * @param searched how many bytes of the end hold none
 */
export function* lastRecord(
  descriptor: number,
  size: number,
  searched: number,
): Generator<void, JsonObject | undefined> {
  for (let length = searched * 4; length <= LONGEST_END; length *= 4) {
    const from = Math.max(0, size - length);
    const part = wholeLines(readPart(descriptor, from, size, new Uint8Array(size - from)));
    yield;
    const record = yield* lastOf(part);
    if (record !== undefined || from === 0) return record;
  }
  return undefined;
}

function* lastOf({ from, bytes }: FilePart): Generator<void, JsonObject | undefined> {
  let end = bytes.length;
  for (let tried = 0; tried < TRIED_LINES && end > 0; tried++) {
    const start = bytes.lastIndexOf(LF, end - 1) + 1;
    let record: JsonObject | undefined;
    for (const line of linesOf({ from: from + start, bytes: bytes.subarray(start, end) })) {
      record = line.length <= SHORT_RECORD ? parseLine(line).record : yield* parseShortened(line);
    }
    if (record !== undefined) return record;
    end = start - 1;
    yield;
  }
  return undefined;
}

/** At most one here: a generator cannot go on inside a callback. */
function linesOf(part: FilePart): Line[] {
  const lines: Line[] = [];
  eachLine(part, (line) => lines.push(line));
  return lines;
}

function* parseShortened({ bytes, from, to }: Line): Generator<void, JsonObject | undefined> {
  const shortened = new ShortenedJson();
  for (let at = from; at < to; at += SHORT_RECORD) {
    shortened.push(bytes, at, Math.min(to, at + SHORT_RECORD));
    yield;
  }
  const value = shortened.parse();
  return isJsonObject(value) ? value : undefined;
}
