import type { ReadingPool, RunOptions } from "../../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import type { SearchQuery } from "../../../domain/search/search-query.js";
import { SCAN_FILES, type ScanRequest, type ScanResult } from "./scan-files.js";
import type { SearchedSession } from "./search-order.js";

export interface Searchable {
  readonly threads: number;
  readonly counts: boolean;
  /** @param options with a lane, for tasks that run in any thread */
  scan(
    portion: readonly SearchedSession[],
    wanted: Pick<ScanRequest, "query" | "until" | "counts">,
    options: RunOptions,
  ): Promise<ScanResult>;
}

/** @param task default scans files on disk */
export function filesIn(root: string, pool: ReadingPool, task = SCAN_FILES): Searchable {
  return {
    threads: pool.threads,
    counts: true,
    scan: (portion, wanted, options) =>
      pool.run(task, { ...wanted, root, sessions: portion.map(({ files }) => files) }, options),
  };
}

export interface ScanOptions {
  readonly searchable: Searchable;
  readonly query: SearchQuery;
  /** Matching sessions after which the scan stops. */
  readonly limit: number;
  /** Milliseconds since the epoch: later no session begins, except the first one. */
  readonly until: number;
  readonly counts: boolean;
}

interface SessionMatch {
  /** Index in search order. */
  readonly index: number;
  /** Lines that may match; 1 for any number if lines are not counted. */
  readonly matches: number;
}

export interface Scanned {
  /** In order; these may match. */
  readonly matches: readonly SessionMatch[];
  /** Exclusive. */
  readonly end: number;
  readonly problems: readonly string[];
}

/** Bytes per task: few at first, so that the first sessions are available soon. */
const FIRST_BYTES = 256 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;

/** Scanned bytes that cost as much as opening a file. */
const BYTES_PER_FILE = 16 * 1024;

/** Queued tasks per thread, so that it is never idle. */
const TASKS_AHEAD = 2;

/** Uses all threads; results are in the order of the sessions. */
export async function scanInOrder(
  sessions: readonly SearchedSession[],
  first: number,
  { searchable, query, limit, until, counts }: ScanOptions,
  { signal }: ReadOptions,
): Promise<Scanned> {
  const taken = new ResultsInOrder(first, limit);
  const enough = new AbortController();
  const stop = () => enough.abort();
  signal?.addEventListener("abort", stop, { once: true });
  const portions = portionsFrom(sessions, first);
  let begun = 0;
  let begunTo = first;
  const takeTurns = async (lane: number) => {
    while (!enough.signal.aborted && (begun === 0 || Date.now() < until)) {
      if (taken.expectsEnough(begunTo)) return;
      const { value: portion } = portions.next();
      if (portion === undefined) return;
      const index = begun++;
      begunTo += portion.length;
      const result = await searchable.scan(
        portion,
        { query, until, counts },
        { signal: enough.signal, lane },
      );
      if (taken.add(index, portion.length, result)) stop();
    }
  };
  try {
    const workers = Array.from({ length: searchable.threads * TASKS_AHEAD }, (_, lane) =>
      takeTurns(lane).catch((error: unknown) => {
        if (enough.signal.aborted) return;
        stop();
        throw error;
      }),
    );
    await Promise.all(workers);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  signal?.throwIfAborted();
  return taken;
}

/** Results may arrive in any order; only the complete beginning counts. */
class ResultsInOrder implements Scanned {
  readonly matches: SessionMatch[] = [];
  readonly problems: string[] = [];
  end: number;
  readonly #first: number;
  readonly #limit: number;
  readonly #waiting = new Map<number, { readonly length: number; readonly result: ScanResult }>();
  #next = 0;
  #isEnough = false;

  constructor(first: number, limit: number) {
    this.end = first;
    this.#first = first;
    this.#limit = limit;
  }

  /** @returns true if no further result is necessary */
  add(index: number, length: number, result: ScanResult): boolean {
    this.#waiting.set(index, { length, result });
    for (let one = this.#waiting.get(this.#next); one !== undefined && !this.#isEnough; ) {
      this.#waiting.delete(this.#next++);
      this.#take(one.length, one.result);
      one = this.#waiting.get(this.#next);
    }
    return this.#isEnough;
  }

  /** Estimates from earlier results if the running scans will yield enough matches. False without a running scan. */
  expectsEnough(begunTo: number): boolean {
    const looked = this.end - this.#first;
    const share = looked === 0 ? 0 : this.matches.length / looked;
    return begunTo > this.end && this.matches.length + (begunTo - this.end) * share >= this.#limit;
  }

  #take(length: number, result: ScanResult): void {
    this.problems.push(...result.problems);
    for (const matches of result.matches) {
      if (matches > 0) this.matches.push({ index: this.end, matches });
      this.end++;
      if (this.matches.length < this.#limit) continue;
      this.#isEnough = true;
      return;
    }
    this.#isEnough = result.matches.length < length;
  }
}

function* portionsFrom(
  sessions: readonly SearchedSession[],
  first: number,
): Generator<SearchedSession[], void> {
  let most = FIRST_BYTES;
  let bytes = 0;
  let portion: SearchedSession[] = [];
  for (let i = first; i < sessions.length; i++) {
    const session = sessions[i]!;
    portion.push(session);
    bytes += session.bytes + session.files.length * BYTES_PER_FILE;
    if (bytes < most) continue;
    yield portion;
    portion = [];
    bytes = 0;
    most = Math.min(MOST_BYTES, most * 2);
  }
  if (portion.length > 0) yield portion;
}
