import { closeSync, readSync } from "node:fs";
import { SourceUnavailableError } from "../../../application/errors.js";
import {
  ownModule,
  type ReadingPool,
  type ReadingTask,
  type RunOptions,
} from "../../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import type { SearchQuery } from "../../../domain/search/search-query.js";
import { foundSync, type OpenFile, openContained, realRootOf } from "../bytes/contained-files.js";
import { type BytePattern, bytePatternOf } from "./byte-pattern.js";
import type { SearchedSession } from "./search-order.js";

export interface ScanRequest {
  readonly root: string;
  readonly query: SearchQuery;
  readonly sessions: readonly (readonly string[])[];
  /** No further session is begun from then on, but for the first: milliseconds since the epoch. */
  readonly until: number;
}

export interface ScanResult {
  /** Whether each session may hold what is looked for, as far as they were looked at. */
  readonly found: readonly boolean[];
  /** Why files could not be looked through. */
  readonly problems: readonly string[];
}

/** How much is looked at at once. Texts of more than about 100 KiB are slow to make. */
const CHUNK = 64 * 1024;

/**
 * Looks for the bytes of a text in the files of some sessions; a session is left at the first of them. A file that is gone, or
 * was cut meanwhile, holds nothing any more; what is added meanwhile is not looked at. A reading task.
 *
 * @param open opens a file. Default is as it lies on the disk
 */
export function* scanFiles(
  { root, query, sessions, until }: ScanRequest,
  open: OpenFileOf = opening(root),
): Generator<void, ScanResult> {
  const pattern = bytePatternOf(query);
  const found: boolean[] = [];
  const problems: string[] = [];
  if (pattern === undefined) return { found: sessions.map(() => true), problems };
  const scan = new Scan(root, pattern, open);
  for (const files of sessions) {
    if (found.length > 0 && Date.now() >= until) break;
    let isFound = false;
    for (const file of files) {
      try {
        isFound = yield* scan.isIn(file);
      } catch (error) {
        if (!(error instanceof SourceUnavailableError)) throw error;
        problems.push(error.message);
      }
      if (isFound) break;
    }
    found.push(isFound);
  }
  return { found, problems };
}

type OpenFileOf = (file: string) => Generator<void, (OpenFile & { close(): void }) | undefined>;

function opening(root: string): OpenFileOf {
  const realRoot = realRootOf(root);
  return function* (file) {
    yield;
    const opened = openContained(root, file, realRoot);
    return opened && { ...opened, close: () => closeSync(opened.descriptor) };
  };
}

const SCAN_FILES: ReadingTask<ScanRequest, ScanResult> = {
  module: ownModule(import.meta.url, "scan-files"),
  name: "scanFiles",
  steps: (request: ScanRequest) => scanFiles(request),
};

/** Whether a text stands in bytes that are in memory. */
export function* isInBytes(pattern: BytePattern, bytes: Buffer): Generator<void, boolean> {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    if (pattern.isIn(bytes.toString("latin1", at, at + CHUNK + pattern.longest - 1))) return true;
    yield;
  }
  return false;
}

class Scan {
  readonly #root: string;
  readonly #open: OpenFileOf;
  readonly #pattern: BytePattern;
  /** What begins at the end of a chunk may end in the next one: so much of a chunk is kept. */
  readonly #overlap: number;
  readonly #buffer: Buffer;

  constructor(root: string, pattern: BytePattern, open: OpenFileOf) {
    this.#root = root;
    this.#open = open;
    this.#pattern = pattern;
    this.#overlap = pattern.longest - 1;
    this.#buffer = Buffer.allocUnsafeSlow(this.#overlap + CHUNK);
  }

  *isIn(file: string): Generator<void, boolean> {
    const opened = yield* this.#open(file);
    if (opened === undefined) return false;
    const { descriptor, identity } = opened;
    const buffer = this.#buffer;
    try {
      let held = 0;
      for (let at = 0; at < identity.size; ) {
        const wanted = Math.min(CHUNK, identity.size - at);
        const read = foundSync(() => readSync(descriptor, buffer, held, wanted, at), this.#root, file) ?? 0;
        if (read === 0) break;
        at += read;
        const end = held + read;
        if (this.#pattern.isIn(buffer.toString("latin1", 0, end))) return true;
        held = Math.min(this.#overlap, end);
        buffer.copyWithin(0, end - held, end);
        yield;
      }
      return false;
    } finally {
      opened.close();
    }
  }
}

/** What is looked through, and in how many threads. */
export interface Searchable {
  readonly threads: number;
  /**
   * Looks through some sessions, as a {@link ScanRequest} asks for it.
   *
   * @param options with a lane, for what may run in any thread
   */
  scan(
    portion: readonly SearchedSession[],
    wanted: Pick<ScanRequest, "query" | "until">,
    options: RunOptions,
  ): Promise<ScanResult>;
}

/**
 * The files of sessions in a folder.
 *
 * @param task scans them. Default is as they lie on the disk
 */
export function filesIn(root: string, pool: ReadingPool, task = SCAN_FILES): Searchable {
  return {
    threads: pool.threads,
    scan: (portion, wanted, options) =>
      pool.run(task, { ...wanted, root, sessions: portion.map(({ files }) => files) }, options),
  };
}

export interface ScanOptions {
  readonly searchable: Searchable;
  readonly query: SearchQuery;
  /** How many sessions that hold it are enough. */
  readonly limit: number;
  /** No further session is begun from then on, but for the first: milliseconds since the epoch. */
  readonly until: number;
}

export interface Scanned {
  /** Which sessions may hold what is looked for, ascending. */
  readonly found: number[];
  /** Behind the last session that was looked at. */
  readonly end: number;
  readonly problems: readonly string[];
}

/** How much one task looks through: little at first, so that the first sessions are found soon. */
const FIRST_BYTES = 256 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;

/** What opening a file costs, as bytes that are looked through meanwhile. */
const BYTES_PER_FILE = 16 * 1024;

/** How many tasks are queued for each thread, so that it does not wait for the next one. */
const TASKS_AHEAD = 2;

/** Looks through sessions in all threads, and takes what they find in the order of the sessions. */
export async function scanInOrder(
  sessions: readonly SearchedSession[],
  first: number,
  { searchable, query, limit, until }: ScanOptions,
  { signal }: ReadOptions,
): Promise<Scanned> {
  const taken = new ResultsInOrder(first, limit);
  const enough = new AbortController();
  const stop = () => enough.abort();
  signal?.addEventListener("abort", stop, { once: true });
  const portions = portionsFrom(sessions, first);
  let begun = 0;
  const takeTurns = async (lane: number) => {
    while (!enough.signal.aborted && (begun === 0 || Date.now() < until)) {
      const { value: portion } = portions.next();
      if (portion === undefined) return;
      const index = begun++;
      const result = await searchable.scan(portion, { query, until }, { signal: enough.signal, lane });
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

/** Results of portions that come in any order, up to where they are complete. */
class ResultsInOrder implements Scanned {
  readonly found: number[] = [];
  readonly problems: string[] = [];
  end: number;
  readonly #limit: number;
  readonly #waiting = new Map<number, { readonly length: number; readonly result: ScanResult }>();
  #next = 0;
  #isEnough = false;

  constructor(first: number, limit: number) {
    this.end = first;
    this.#limit = limit;
  }

  /** @returns whether no further one is wanted */
  add(index: number, length: number, result: ScanResult): boolean {
    this.#waiting.set(index, { length, result });
    for (let one = this.#waiting.get(this.#next); one !== undefined && !this.#isEnough; ) {
      this.#waiting.delete(this.#next++);
      this.#take(one.length, one.result);
      one = this.#waiting.get(this.#next);
    }
    return this.#isEnough;
  }

  #take(length: number, { found, problems }: ScanResult): void {
    this.problems.push(...problems);
    for (const isFound of found) {
      if (isFound) this.found.push(this.end);
      this.end++;
      if (this.found.length < this.#limit) continue;
      this.#isEnough = true;
      return;
    }
    this.#isEnough = found.length < length;
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
