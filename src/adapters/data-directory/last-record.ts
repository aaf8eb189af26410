import type { JsonObject } from "../../domain/json/json.js";
import { LF } from "../../domain/json/json-bytes.js";
import { eachLine, type FilePart, readPart, wholeLines } from "../files/bytes/file-part.js";
import { parseRecord } from "../files/bytes/parse-line.js";

/** How many of the last lines of a log are tried: a log does not end with more that are no records. */
const TRIED_LINES = 64;

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
    const record = lastOf(part);
    if (record !== undefined || from === 0) return record;
  }
  return undefined;
}

function lastOf({ from, bytes }: FilePart): JsonObject | undefined {
  let end = bytes.length;
  for (let tried = 0; tried < TRIED_LINES && end > 0; tried++) {
    const start = bytes.lastIndexOf(LF, end - 1) + 1;
    let record: JsonObject | undefined;
    eachLine({ from: from + start, bytes: bytes.subarray(start, end) }, (line) => {
      record = parseRecord(line).record;
    });
    if (record !== undefined) return record;
    end = start - 1;
  }
  return undefined;
}
