import type { JsonObject } from "../../domain/json/json.js";
import { JsonLexer } from "../../domain/json/json-lexer.js";
import { eventProblem } from "../../domain/session/session-activity.js";
import { logProblem } from "../../domain/session/session-log.js";
import { instantOf, isOddInstant, ODD_INSTANT } from "../../domain/trace/instant.js";
import { sequenceOf } from "../../domain/trace/trace-sequence-merge.js";
import { doubles, integers } from "../files/bytes/columns.js";
import type { FileEnd, FileState } from "../files/bytes/file-growth.js";
import { type Line, NO_OBJECT, NOT_JSON, NOT_UTF8 } from "../files/bytes/line.js";
import { type LineProblem, LineProblems, type ProblemCount } from "../files/bytes/line-problems.js";
import { concatenatedParts, decodeText, parseLine } from "../files/bytes/parse-line.js";
import type { LineEnd, LineRange } from "../files/bytes/read-lines.js";
import { plainInstant, plainInteger } from "./short-values.js";

export interface RecordAmount {
  readonly records: number;
  readonly bytes: number;
}

export interface IndexEnd extends FileEnd {
  readonly line: number;
  readonly taken: RecordAmount;
  readonly traceIds: readonly string[];
}

/** The merge needs the keys of envelopes. Warnings report anomalies of logs and events. */
export type FileContent = "records" | "envelopes" | "events" | "log";

const PROBLEM_OF: { readonly [content in FileContent]?: (record: JsonObject) => string | undefined } = {
  events: eventProblem,
  log: logProblem,
};

export interface IndexAnswer extends IndexEnd {
  readonly goesOn: boolean;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  readonly traces: Uint32Array;
  readonly sequences: Float64Array;
  readonly instants: Float64Array;
  readonly problems: ProblemCount;
  /** Number of records after the last line feed, which are read again when the file has grown. */
  readonly tailSize: number;
  readonly tailProblems: readonly LineProblem[];
  /** False if the limit was reached before `line`. */
  readonly isComplete: boolean;
}

const NO_RECORD = { record: undefined };

const MEMBERS = ["traceId", "sequence", "timestamp"];
const TRACE_ID = 0;
const SEQUENCE = 1;
const TIMESTAMP = 2;

/** Memory of a trace id, in records: several threads have it in their tables. */
const TRACE_WEIGHT = 3;

const SAMPLE = 256;
const MOST_GUESSED = 4_000_000;

export class IndexedRecords {
  readonly #range: LineRange;
  readonly #content: FileContent;
  readonly #wantsKeys: boolean;
  readonly #lexer: JsonLexer;
  readonly #starts = doubles();
  readonly #lengths = integers();
  readonly #traces = integers();
  readonly #sequences = doubles();
  readonly #instants = doubles();
  readonly #traceIds: string[];
  readonly #ordinals: Map<string, number>;
  #problems = new LineProblems();
  /** The last trace id as it is spelled: most records repeat it. */
  #spelled = new Uint8Array(0);
  #ordinal = -1;
  readonly #before: RecordAmount;
  #bytes = 0;

  constructor(
    range: LineRange,
    content: FileContent,
    { taken, traceIds }: Pick<IndexEnd, "taken" | "traceIds">,
  ) {
    this.#range = range;
    this.#before = taken;
    this.#content = content;
    this.#wantsKeys = content === "envelopes";
    this.#lexer = new JsonLexer(this.#wantsKeys ? MEMBERS : []);
    this.#traceIds = [...traceIds];
    this.#ordinals = new Map(traceIds.map((id, ordinal) => [id, ordinal]));
  }

  get taken(): RecordAmount {
    const { records, bytes } = this.#before;
    return { records: records + this.#starts.size, bytes: bytes + this.#bytes };
  }

  get weight(): number {
    return this.taken.records + this.#traceIds.length * TRACE_WEIGHT;
  }

  add(line: Line): void {
    const problem = this.#judge(line);
    if (problem === undefined) this.#addRecord(line);
    else if (problem !== NOT_JSON) this.#problems.add(line.number, problem);
    else for (const part of concatenatedParts(line)) this.#addPart(part);
  }

  #addPart(part: Line): void {
    const problem = this.#judge(part);
    if (problem === undefined) this.#addRecord(part);
    else this.#problems.add(part.number, problem);
  }

  #addRecord(line: Line): void {
    const anomaly = this.#oddityOf(line);
    if (anomaly !== undefined) this.#problems.add(line.number, anomaly);
    this.#starts.push(line.start);
    this.#lengths.push(line.length);
    this.#bytes += line.length;
    if (this.#starts.size === SAMPLE) this.#reserve(line.start + line.length);
    if (!this.#wantsKeys) return;
    this.#traces.push(this.#traceOf(line.bytes));
    this.#sequences.push(this.#sequenceOf(line.bytes));
    this.#instants.push(this.#instantOf(line));
  }

  #oddityOf(line: Line): string | undefined {
    if (!line.isUtf8) return NOT_UTF8;
    const problemOf = PROBLEM_OF[this.#content];
    const { record } = problemOf === undefined ? NO_RECORD : parseLine(line);
    return record && problemOf?.(record);
  }

  /** Estimates the number of records from the first ones. Columns that grow do not free their old memory at once. */
  #reserve(readUpTo: number): void {
    const guess = Math.ceil(
      ((this.#range.to - this.#range.from) / (readUpTo - this.#range.from)) * SAMPLE * 1.05,
    );
    const columns = this.#wantsKeys
      ? [this.#starts, this.#lengths, this.#traces, this.#sequences, this.#instants]
      : [this.#starts, this.#lengths];
    for (const column of columns) column.reserve(Math.min(guess, MOST_GUESSED));
  }

  answer({ identity, fingerprint }: FileState, goesOn: boolean, end: LineEnd): IndexAnswer {
    const { taken } = this;
    const problems = this.#problems;
    const settled = this.#starts.size;
    this.#problems = new LineProblems();
    if (end.tail !== undefined) this.#addTail(end.tail);
    return {
      identity,
      fingerprint,
      goesOn,
      offset: end.offset,
      line: end.line,
      taken,
      traceIds: this.#traceIds,
      starts: this.#starts.view(),
      lengths: this.#lengths.view(),
      traces: this.#traces.view(),
      sequences: this.#sequences.view(),
      instants: this.#instants.view(),
      problems: { ...problems },
      tailSize: this.#starts.size - settled,
      tailProblems: this.#problems.list(),
      isComplete: end.isComplete,
    };
  }

  /** Text after the last line feed counts only as far as it is complete: a writer may still be adding to it. */
  #addTail(tail: Line): void {
    for (const part of concatenatedParts(tail)) {
      if (this.#judge(part) !== undefined) return;
      this.#addRecord(part);
    }
  }

  #judge({ bytes, from, to, problem }: Line): string | undefined {
    if (problem !== undefined) return problem;
    const verdict = this.#lexer.read(bytes, from, to);
    return verdict === "object" ? undefined : verdict === "value" ? NO_OBJECT : NOT_JSON;
  }

  #traceOf(bytes: Uint8Array): number {
    const [start, end] = [this.#lexer.start(TRACE_ID), this.#lexer.end(TRACE_ID)];
    if (this.#ordinal >= 0 && isSame(this.#spelled, bytes, start, end)) return this.#ordinal;
    const value = this.#valueOf(bytes, TRACE_ID);
    const traceId = typeof value === "string" ? value : "";
    let ordinal = this.#ordinals.get(traceId);
    if (ordinal === undefined) {
      ordinal = this.#traceIds.push(traceId) - 1;
      this.#ordinals.set(traceId, ordinal);
    }
    // A copy: the line's memory is reused, and `slice` of a `Buffer` would share it.
    this.#spelled = start < 0 ? new Uint8Array(0) : new Uint8Array(bytes.subarray(start, end));
    this.#ordinal = ordinal;
    return ordinal;
  }

  #sequenceOf(bytes: Uint8Array): number {
    const [start, end] = [this.#lexer.start(SEQUENCE), this.#lexer.end(SEQUENCE)];
    return plainInteger(bytes, start, end) ?? sequenceOf(this.#valueOf(bytes, SEQUENCE));
  }

  #instantOf({ bytes, number }: Line): number {
    const [start, end] = [this.#lexer.start(TIMESTAMP), this.#lexer.end(TIMESTAMP)];
    const plain = plainInstant(bytes, start, end);
    if (plain !== undefined) return plain;
    const value = this.#valueOf(bytes, TIMESTAMP);
    if (isOddInstant(value)) this.#problems.add(number, ODD_INSTANT);
    return instantOf(value) ?? Number.NaN;
  }

  #valueOf(bytes: Uint8Array, member: number): unknown {
    const start = this.#lexer.start(member);
    const end = this.#lexer.end(member);
    return start < 0 || end - start > MAX_KEY ? undefined : JSON.parse(decodeText(bytes, start, end));
  }
}

const MAX_KEY = 64 * 1024;

function isSame(spelled: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (from < 0 || spelled.length !== to - from) return false;
  for (let i = 0; i < spelled.length; i++) if (spelled[i] !== bytes[from + i]) return false;
  return true;
}
