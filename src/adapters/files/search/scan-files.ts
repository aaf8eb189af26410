import { closeSync, readSync } from "node:fs";
import { SourceUnavailableError } from "../../../application/errors.js";
import type { ReadingTask } from "../../../application/ports/reading-pool.js";
import type { SearchQuery } from "../../../domain/search/search-query.js";
import { foundSync, openContained, realRootOf } from "../bytes/contained-files.js";
import { isPacked } from "../bytes/unpack.js";
import { type BytePattern, bytePatternOf } from "./byte-pattern.js";

/** Which files are looked through, and for what. */
export interface ScanRequest {
  readonly root: string;
  readonly query: SearchQuery;
  /** The files of each session. */
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
 * was cut meanwhile, holds nothing any more; what is added meanwhile is not looked at. A packed file may hold it. A reading task.
 */
export function* scanFiles({ root, query, sessions, until }: ScanRequest): Generator<void, ScanResult> {
  const pattern = bytePatternOf(query);
  const found: boolean[] = [];
  const problems: string[] = [];
  if (pattern === undefined) return { found: sessions.map(() => true), problems };
  const scan = new Scan(root, pattern);
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

export const SCAN_FILES: ReadingTask<ScanRequest, ScanResult> = {
  module: import.meta.url,
  name: "scanFiles",
  steps: scanFiles,
};

class Scan {
  readonly #root: string;
  readonly #realRoot: string | undefined;
  readonly #pattern: BytePattern;
  /** What begins at the end of a chunk may end in the next one: so much of a chunk is kept. */
  readonly #overlap: number;
  readonly #buffer: Buffer;

  constructor(root: string, pattern: BytePattern) {
    this.#root = root;
    this.#realRoot = realRootOf(root);
    this.#pattern = pattern;
    this.#overlap = pattern.longest - 1;
    this.#buffer = Buffer.allocUnsafeSlow(this.#overlap + CHUNK);
  }

  *isIn(file: string): Generator<void, boolean> {
    if (isPacked(file)) return true;
    const opened = openContained(this.#root, file, this.#realRoot);
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
      closeSync(descriptor);
    }
  }
}
