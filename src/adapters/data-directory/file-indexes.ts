import { closeSync } from "node:fs";
import { CachedWhileSame } from "../../application/cached-while-same.js";
import { ownModule, type ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { SharedReadings } from "../../application/threads/shared-readings.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { doubles, integers } from "../files/bytes/columns.js";
import { openContained } from "../files/bytes/contained-files.js";
import { type FileState, readGrowth } from "../files/bytes/file-growth.js";
import { type FileIdentity, isSameFile, isUnchanged } from "../files/bytes/file-identities.js";
import { type LineProblem, LineProblems } from "../files/bytes/line-problems.js";
import { readLines } from "../files/bytes/read-lines.js";
import {
  type FileContent,
  type IndexAnswer,
  type IndexEnd,
  IndexedRecords,
  type RecordAmount,
} from "./indexed-records.js";

/** In stored order, in bytes. */
export interface RecordPlaces {
  readonly size: number;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
}

export interface FileIndex extends RecordPlaces {
  /** Constant while the file only grows. Unique, also among processes. */
  readonly id: number;
  readonly path: string;
  /** Limit of the records: the identity that was looked up, if the file has grown since. */
  readonly identity: FileIdentity;
  /** State at the reading. Records stay at their locations while the file continues from it. */
  readonly state: FileState;
  readonly problems: readonly LineProblem[];
  readonly keys: TraceKeys;
}

export interface WantedRecords {
  readonly content: FileContent;
  /** Approximate: the index skips the rest, and reports one problem. */
  readonly most: RecordAmount;
}

/**
 * Caches the locations of records, and reads only later additions. A file that shrank, was replaced or was overwritten is read again.
 * Simultaneous callers share one reading.
 */
export class FileIndexes {
  readonly #root: string;
  readonly #pool: ReadingPool;
  readonly #cached: CachedWhileSame<FileIdentity, GrowingIndex>;
  readonly #readings = new SharedReadings<FileIndex | undefined>();

  constructor(root: string, pool: ReadingPool, maxBytes: number) {
    this.#root = root;
    this.#pool = pool;
    this.#cached = new CachedWhileSame({ maxSize: Math.max(1, maxBytes) }, isUnchanged);
  }

  /**
   * `undefined` if the file does not exist. Later additions are excluded.
   * @param identity if the index has this state, nothing is read
   */
  async read(
    path: string,
    identity: FileIdentity,
    wanted: WantedRecords,
    options?: ReadOptions,
  ): Promise<FileIndex | undefined> {
    const same = this.#cached.get(path, identity);
    if (same !== undefined) return same.index;
    const index = await this.#readings.read(path, (signal) => this.#read(path, wanted, signal), options);
    return index && cutAt(index, identity);
  }

  forget(path: string): void {
    this.#cached.forget(path);
  }

  async #read(path: string, wanted: WantedRecords, signal: AbortSignal): Promise<FileIndex | undefined> {
    const cached = this.#cached.last(path);
    const request = { root: this.#root, path, ...wanted, previous: cached?.end };
    const answer = await this.#pool.run(INDEX_RECORDS, request, { signal });
    if (answer === undefined) {
      this.#cached.forget(path);
      return undefined;
    }
    const index = answer.goesOn && cached !== undefined ? cached : new GrowingIndex(path);
    index.add(answer);
    return this.#cached.keep(path, index.index.identity, index, index.bytes).index;
  }
}

function cutAt(index: FileIndex, identity: FileIdentity): FileIndex {
  if (!isSameFile(index.identity, identity) || index.identity.size <= identity.size) return index;
  let size = index.size;
  while (size > 0 && index.starts[size - 1]! + index.lengths[size - 1]! > identity.size) size--;
  const { traces, sequences, instants, traceIds } = index.keys;
  return {
    ...index,
    identity,
    size,
    starts: index.starts.subarray(0, size),
    lengths: index.lengths.subarray(0, size),
    keys: {
      size,
      traces: traces.subarray(0, size),
      sequences: sequences.subarray(0, size),
      instants: instants.subarray(0, size),
      traceIds,
    },
  };
}

function tooMany({ records }: RecordAmount): string {
  return `and all later lines, are skipped: only the first ${records} records of a file of this size are read`;
}

/** Resident memory of an index besides its columns, measured with ten thousand of them. */
const OVERHEAD = 8 * 1024;

class GrowingIndex {
  readonly #id = Math.random();
  readonly #path: string;
  #starts = doubles();
  #lengths = integers();
  #traces = integers();
  #sequences = doubles();
  #instants = doubles();
  readonly #problems = new LineProblems();
  #settled = 0;
  end: IndexEnd | undefined;
  #index: FileIndex | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get index(): FileIndex {
    return this.#index!;
  }

  get bytes(): number {
    const columns = [this.#starts, this.#lengths, this.#traces, this.#sequences, this.#instants];
    return columns.reduce((sum, column) => sum + column.bytes, OVERHEAD) + this.#problems.bytes;
  }

  add(answer: IndexAnswer): void {
    const { identity, offset, line, fingerprint, taken, traceIds } = answer;
    if (this.end === undefined) {
      this.#starts = doubles(answer.starts);
      this.#lengths = integers(answer.lengths);
      this.#traces = integers(answer.traces);
      this.#sequences = doubles(answer.sequences);
      this.#instants = doubles(answer.instants);
    } else {
      for (const [column, added] of [
        [this.#starts, answer.starts],
        [this.#sequences, answer.sequences],
        [this.#instants, answer.instants],
      ] as const) {
        column.cut(Math.min(column.size, this.#settled));
        column.append(added);
      }
      for (const [column, added] of [
        [this.#lengths, answer.lengths],
        [this.#traces, answer.traces],
      ] as const) {
        column.cut(Math.min(column.size, this.#settled));
        column.append(added);
      }
    }
    this.#settled = this.#starts.size - answer.tailSize;
    this.#problems.addAll(answer.problems);
    this.end = { identity, offset, line, fingerprint, taken, traceIds };
    const size = this.#starts.size;
    this.#index = {
      id: this.#id,
      path: this.#path,
      identity,
      state: { identity, fingerprint },
      size,
      starts: this.#starts.view(),
      lengths: this.#lengths.view(),
      problems: answer.isComplete
        ? [...this.#problems.list(), ...answer.tailProblems]
        : [...this.#problems.list(), { line, reason: tooMany(taken) }],
      keys: {
        size,
        traces: this.#traces.view(),
        sequences: this.#sequences.view(),
        instants: this.#instants.view(),
        traceIds,
      },
    };
  }
}

export interface IndexRequest {
  readonly root: string;
  readonly path: string;
  readonly content: FileContent;
  readonly most: RecordAmount;
  readonly previous: IndexEnd | undefined;
}

export function* indexRecords({
  root,
  path,
  content,
  most,
  previous: cached,
}: IndexRequest): Generator<void, IndexAnswer | undefined> {
  const opened = openContained(root, path);
  if (opened === undefined) return undefined;
  const { descriptor } = opened;
  try {
    return yield* readGrowth(opened, cached, function* (from, state) {
      const start = from ?? BEGINNING;
      const range = { from: start.offset, to: state.identity.size, line: start.line };
      const records = new IndexedRecords(range, content, start);
      const end = yield* readLines(
        descriptor,
        range,
        (line) => records.add(line),
        () => records.weight >= most.records || records.taken.bytes >= most.bytes,
      );
      return records.answer(state, from !== undefined, end);
    });
  } finally {
    closeSync(descriptor);
  }
}

const INDEX_RECORDS = {
  module: ownModule(import.meta.url, "file-indexes"),
  name: "indexRecords",
  steps: indexRecords,
};

const BEGINNING = { offset: 0, line: 1, taken: { records: 0, bytes: 0 }, traceIds: [] };
