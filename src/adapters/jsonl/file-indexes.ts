import { LRUCache } from "lru-cache";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { TraceKeys } from "../../domain/trace-order.js";
import { doubles, integers } from "./columns.js";
import { type FileIdentity, isUnchanged } from "./file-identity.js";
import {
  INDEX_RECORDS,
  type IndexAnswer,
  type IndexEnd,
  type LineProblem,
  NAMED_PROBLEMS,
} from "./index-records.js";
import { SharedReadings } from "./shared-readings.js";

/** Where the records of a file lie, in stored order, in bytes. */
export interface RecordPlaces {
  readonly size: number;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
}

/** A file of JSON Lines as it was when it was read. */
export interface FileIndex extends RecordPlaces {
  readonly path: string;
  readonly identity: FileIdentity;
  /** The lines that cannot be read. */
  readonly problems: readonly LineProblem[];
  /** What the merge has to know of each record, where that was asked for. */
  readonly keys: TraceKeys;
}

/**
 * Keeps where the records of files lie, and reads only what was added since. A file that shrank, was replaced or was written
 * over is read anew. Callers that ask for the same file at the same time share one reading.
 */
export class FileIndexes {
  readonly #root: string;
  readonly #pool: ReadingPool;
  readonly #known: LRUCache<string, GrowingIndex>;
  readonly #readings = new SharedReadings<FileIndex | undefined>();

  /** @param maxBytes about how much memory may go into what is kept */
  constructor(root: string, pool: ReadingPool, maxBytes: number) {
    this.#root = root;
    this.#pool = pool;
    this.#known = new LRUCache({ maxSize: Math.max(1, maxBytes) });
  }

  /**
   * The index of a file; `undefined` where there is no such file.
   *
   * @param identity the file as it was just looked up: if that is what is known, nothing is read
   * @param wantsKeys whether its records are trace envelopes
   */
  async read(
    path: string,
    identity: FileIdentity,
    wantsKeys: boolean,
    options?: ReadOptions,
  ): Promise<FileIndex | undefined> {
    const known = this.#known.get(path)?.index;
    if (known !== undefined && isUnchanged(known.identity, identity)) return known;
    return this.#readings.read(path, (signal) => this.#read(path, wantsKeys, signal), options);
  }

  forget(): void {
    this.#known.clear();
  }

  async #read(path: string, wantsKeys: boolean, signal: AbortSignal): Promise<FileIndex | undefined> {
    const known = this.#known.get(path);
    const request = { root: this.#root, path, wantsKeys, known: known?.end };
    const answer = await this.#pool.run(INDEX_RECORDS, request, { signal });
    if (answer === undefined) {
      this.#known.delete(path);
      return undefined;
    }
    const index = answer.goesOn && known !== undefined ? known : new GrowingIndex(path);
    index.add(answer);
    this.#known.set(path, index, { size: index.bytes });
    return index.index;
  }
}

/** What a file index takes besides its columns. */
const OVERHEAD = 1_024;

/** The index of a file that may grow. What it handed out stays as it was. */
class GrowingIndex {
  readonly #path: string;
  #starts = doubles();
  #lengths = integers();
  #traces = integers();
  #sequences = doubles();
  #instants = doubles();
  readonly #problems: LineProblem[] = [];
  #unnamed = 0;
  #lastProblemLine = 0;
  /** How many records have a line feed. */
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
    return columns.reduce((sum, column) => sum + column.bytes, OVERHEAD) + this.#problems.length * 64;
  }

  add(answer: IndexAnswer): void {
    const { identity, offset, line, seam, traceIds } = answer;
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
    this.#settled = this.#starts.size - (answer.hasTail ? 1 : 0);
    this.#addProblems(answer);
    this.end = { identity, offset, line, seam, traceIds };
    const size = this.#starts.size;
    this.#index = {
      path: this.#path,
      identity,
      size,
      starts: this.#starts.view(),
      lengths: this.#lengths.view(),
      problems: this.#listProblems(),
      keys: {
        size,
        traces: this.#traces.view(),
        sequences: this.#sequences.view(),
        instants: this.#instants.view(),
        traceIds,
      },
    };
  }

  #addProblems({ problems, unnamedProblems, lastProblemLine }: IndexAnswer): void {
    const named = problems.slice(0, NAMED_PROBLEMS - this.#problems.length);
    this.#problems.push(...named);
    this.#unnamed += unnamedProblems + problems.length - named.length;
    this.#lastProblemLine = Math.max(this.#lastProblemLine, lastProblemLine);
  }

  #listProblems(): LineProblem[] {
    if (this.#unnamed === 0) return [...this.#problems];
    const reason = `and ${this.#unnamed - 1} lines before it, cannot be read either`;
    return [...this.#problems, { line: this.#lastProblemLine, reason }];
  }
}
