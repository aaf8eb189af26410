import { closeSync } from "node:fs";
import { instantOf } from "../../domain/instant.js";
import { JsonLexer } from "../../domain/json-text/json-lexer.js";
import { plainInstant, plainInteger } from "../../domain/json-text/short-values.js";
import { sequenceOf } from "../../domain/trace-sequence-merge.js";
import { doubles, integers } from "./columns.js";
import { openContained } from "./contained-files.js";
import { type FileEnd, type FileState, readGrowth } from "./file-growth.js";
import { LineProblems, type ProblemCount } from "./line-problems.js";
import { decodeText } from "./parse-line.js";
import { type Line, type LineEnd, type LineRange, NO_OBJECT, NOT_JSON, readLines } from "./read-lines.js";

/** Where an earlier reading of a file ended. */
export interface IndexEnd extends FileEnd {
  /** The number of the line that starts at `offset`. */
  readonly line: number;
  readonly traceIds: readonly string[];
}

export interface IndexRequest {
  readonly root: string;
  readonly path: string;
  /** Whether the keys of the merge are wanted too: the records are trace envelopes. */
  readonly wantsKeys: boolean;
  /** What is known already. Without it the file is read from its beginning. */
  readonly known: IndexEnd | undefined;
}

/** The records of a file, or those that were added to it. */
export interface IndexAnswer extends IndexEnd {
  /** Whether they continue the known index; otherwise the file was read anew. */
  readonly goesOn: boolean;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  readonly traces: Uint32Array;
  readonly sequences: Float64Array;
  readonly instants: Float64Array;
  readonly problems: ProblemCount;
  /** Whether the last record has no line feed yet: it is read again when the file has grown. */
  readonly hasTail: boolean;
}

/** Finds the records of a file of JSON Lines: their offsets, and the keys that the merge needs. A reading task. */
export function* indexRecords({
  root,
  path,
  wantsKeys,
  known,
}: IndexRequest): Generator<void, IndexAnswer | undefined> {
  const opened = openContained(root, path);
  if (opened === undefined) return undefined;
  const { descriptor } = opened;
  try {
    return yield* readGrowth(opened, known, function* (from, state) {
      const range = { from: from?.offset ?? 0, to: state.identity.size, line: from?.line ?? 1 };
      const records = new IndexedRecords(range, wantsKeys, from?.traceIds ?? []);
      const end = yield* readLines(descriptor, range, (line) => records.add(line));
      return records.answer(state, from !== undefined, end);
    });
  } finally {
    closeSync(descriptor);
  }
}

export const INDEX_RECORDS = { module: import.meta.url, name: "indexRecords", steps: indexRecords };

const MEMBERS = ["traceId", "sequence", "timestamp"];
const TRACE_ID = 0;
const SEQUENCE = 1;
const TIMESTAMP = 2;

/** From how many records their number is guessed, and the most that are. */
const SAMPLE = 256;
const MOST_GUESSED = 4_000_000;

class IndexedRecords {
  readonly #range: LineRange;
  readonly #wantsKeys: boolean;
  readonly #lexer: JsonLexer;
  readonly #starts = doubles();
  readonly #lengths = integers();
  readonly #traces = integers();
  readonly #sequences = doubles();
  readonly #instants = doubles();
  readonly #traceIds: string[];
  readonly #ordinals: Map<string, number>;
  readonly #problems = new LineProblems();
  /** The trace id that came last, as it is spelled: most records repeat it. */
  #spelled = new Uint8Array(0);
  #ordinal = -1;

  constructor(range: LineRange, wantsKeys: boolean, traceIds: readonly string[]) {
    this.#range = range;
    this.#wantsKeys = wantsKeys;
    this.#lexer = new JsonLexer(wantsKeys ? MEMBERS : []);
    this.#traceIds = [...traceIds];
    this.#ordinals = new Map(traceIds.map((id, ordinal) => [id, ordinal]));
  }

  add(line: Line): boolean {
    const problem = line.problem ?? this.#judge(line);
    if (problem !== undefined) {
      this.#problems.add(line.number, problem);
      return false;
    }
    this.#starts.push(line.start);
    this.#lengths.push(line.length);
    if (this.#starts.size === SAMPLE) this.#reserve(line.start + line.length);
    if (!this.#wantsKeys) return true;
    this.#traces.push(this.#traceOf(line.bytes));
    this.#sequences.push(this.#sequenceOf(line.bytes));
    this.#instants.push(this.#instantOf(line.bytes));
    return true;
  }

  /** Guesses from the first records how many there will be: columns that grow leave their old memory behind. */
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
    // A last line without its line feed is a record only where it is whole.
    const hasTail = end.tail !== undefined && this.#judge(end.tail) === undefined && this.add(end.tail);
    return {
      identity,
      fingerprint,
      goesOn,
      offset: end.offset,
      line: end.line,
      traceIds: this.#traceIds,
      starts: this.#starts.view(),
      lengths: this.#lengths.view(),
      traces: this.#traces.view(),
      sequences: this.#sequences.view(),
      instants: this.#instants.view(),
      problems: { ...this.#problems },
      hasTail,
    };
  }

  /** Why a line is no record. */
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
    // A copy: the memory of the line is used again, and `slice` of a `Buffer` would share it.
    this.#spelled = start < 0 ? new Uint8Array(0) : new Uint8Array(bytes.subarray(start, end));
    this.#ordinal = ordinal;
    return ordinal;
  }

  #sequenceOf(bytes: Uint8Array): number {
    const [start, end] = [this.#lexer.start(SEQUENCE), this.#lexer.end(SEQUENCE)];
    return plainInteger(bytes, start, end) ?? sequenceOf(this.#valueOf(bytes, SEQUENCE));
  }

  #instantOf(bytes: Uint8Array): number {
    const [start, end] = [this.#lexer.start(TIMESTAMP), this.#lexer.end(TIMESTAMP)];
    return plainInstant(bytes, start, end) ?? instantOf(this.#valueOf(bytes, TIMESTAMP)) ?? Number.NaN;
  }

  #valueOf(bytes: Uint8Array, member: number): unknown {
    const start = this.#lexer.start(member);
    const end = this.#lexer.end(member);
    // A container, or a value of such a length, is no key.
    return start < 0 || end - start > MAX_KEY ? undefined : JSON.parse(decodeText(bytes, start, end));
  }
}

/** How long a trace id may be, as it is spelled, in bytes. */
const MAX_KEY = 64 * 1024;

function isSame(spelled: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (from < 0 || spelled.length !== to - from) return false;
  for (let i = 0; i < spelled.length; i++) if (spelled[i] !== bytes[from + i]) return false;
  return true;
}
