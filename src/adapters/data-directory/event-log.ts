import type { JsonObject } from "../../domain/json/json.js";
import { LF } from "../../domain/json/json-bytes.js";
import type { EventLogEnd, LoggedEvent } from "../../domain/session/session-activity.js";
import type { OpenFile } from "../files/bytes/contained-files.js";
import { completeLines, eachLine, endOfContent, type FilePart, readPart } from "../files/bytes/line.js";
import { parseRecord, recordsOf } from "../files/bytes/parse-line.js";
import {
  decidesOutcome,
  EMPTY_PART,
  endOfLongLog,
  endOfPart,
  hasOpenCall,
  hasOpenRun,
  joinParts,
  type LogPart,
  partOfEvents,
} from "./log-part.js";

const SHORT_LOG = 8 * 1024;

const SHORT_END = 2 * 1024;
const LONG_ENDS = [16 * 1024, 64 * 1024] as const;
const LONGEST_END = LONG_ENDS[1];

const HEAD = 4 * 1024;

const memory = new Uint8Array(LONGEST_END);

export type EventReader = (record: JsonObject) => LoggedEvent;

/** Reads a log from its end, only as far as the status of its session needs. */
export class EventLog {
  readonly #descriptor: number;
  #size: number;
  readonly #read: EventReader;
  #tail: LogPart = EMPTY_PART;
  #from: number;
  #hasRecord = false;

  constructor({ descriptor, identity }: OpenFile, read: EventReader) {
    this.#descriptor = descriptor;
    this.#size = identity.size;
    this.#from = identity.size;
    this.#read = read;
  }

  get newest(): number | undefined {
    return this.#tail.newest;
  }

  *readEnd(): Generator<void, void> {
    this.#readUntilInstant();
    if (this.#hasRecord || this.#isComplete) return;
    this.#size = yield* endOfContent(this.#descriptor, this.#size);
    if (this.#size <= this.#from) {
      this.#from = this.#size;
      this.#readUntilInstant();
    }
    if (this.#hasRecord || this.#isComplete) return;
    const record = yield* lastRecord(this.#descriptor, this.#size, LONGEST_END);
    if (record !== undefined) this.#tail = partOfEvents([this.#read(record)]);
  }

  #readUntilInstant(): void {
    this.#readFrom(this.#size <= SHORT_LOG ? SHORT_LOG : SHORT_END);
    for (const length of LONG_ENDS) if (this.newest === undefined) this.#readFrom(length);
  }

  /**
   * @param isRecent true if the session may count as running: then a continuing run, and the calls before, matter
   * @param mayStall true if an open call may count as stalled: then the calls before matter
   */
  endOf(isRecent: boolean, mayStall: boolean): EventLogEnd {
    for (const length of LONG_ENDS) {
      const needsCalls = isRecent || (mayStall && hasOpenCall(this.#tail));
      if (needsCalls || !decidesOutcome(this.#tail)) this.#readFrom(length, isStep);
    }
    return isRecent && !this.#isComplete && !hasOpenRun(this.#tail)
      ? endOfLongLog(this.#tail, this.#readHead())
      : endOfPart(this.#tail);
  }

  get #isComplete(): boolean {
    return this.#from === 0;
  }

  #readFrom(length: number, isWanted?: (event: LoggedEvent) => boolean): void {
    const from = Math.max(0, this.#size - length);
    if (from >= this.#from) return;
    const part = completeLines(readPart(this.#descriptor, from, this.#from, memory));
    this.#tail = joinParts(this.#partOf(part, isWanted), this.#tail);
    this.#from = part.from;
  }

  #readHead(): LogPart {
    return this.#partOf(readPart(this.#descriptor, 0, Math.min(HEAD, this.#size), memory));
  }

  #partOf(part: FilePart, isWanted: (event: LoggedEvent) => boolean = () => true): LogPart {
    const events: LoggedEvent[] = [];
    eachLine(part, (line) => {
      for (const record of recordsOf(line)) {
        this.#hasRecord = true;
        events.push(this.#read(record));
      }
    });
    return partOfEvents(events.filter(isWanted));
  }
}

function isStep({ step }: LoggedEvent): boolean {
  return step !== undefined;
}

const TRIED_LINES = 64;

const LONGEST_SEARCHED = 128 * 1024 * 1024;

/**
 * For a log whose last lines are huge, or no records.
 * @param searched bytes at the end without a record
 */
function* lastRecord(
  descriptor: number,
  size: number,
  searched: number,
): Generator<void, JsonObject | undefined> {
  for (let length = searched * 4; length <= LONGEST_SEARCHED; length *= 4) {
    const from = Math.max(0, size - length);
    const part = completeLines(readPart(descriptor, from, size, new Uint8Array(size - from)));
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
