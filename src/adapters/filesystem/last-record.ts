import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { eachLine, type FilePart, readPart, wholeLines } from "../jsonl/file-part.js";
import { parseLine } from "../jsonl/parse-line.js";
import type { Line } from "../jsonl/read-lines.js";
import { ShortenedJson } from "../jsonl/shortened-json.js";

/** Records up to this length are parsed whole; of a longer one, the long strings are cut first. */
const SHORT_RECORD = 256 * 1024;

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

function* lastOf(part: FilePart): Generator<void, JsonObject | undefined> {
  const lines: Line[] = [];
  eachLine(part, (line) => lines.push(line));
  for (const line of lines.reverse()) {
    const record = line.length <= SHORT_RECORD ? parseLine(line).record : yield* parseShortened(line);
    if (record !== undefined) return record;
    yield;
  }
  return undefined;
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
