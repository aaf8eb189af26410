import { closeSync, readSync } from "node:fs";
import { SourceUnavailableError } from "../../../application/errors.js";
import { ownModule, type ReadingTask } from "../../../application/ports/reading-pool.js";
import type { SearchQuery } from "../../../domain/search/search-query.js";
import { existingSync, type OpenFile, openContained, realRootOf } from "../bytes/contained-files.js";
import { type BytePattern, bytePatternOf } from "./byte-pattern.js";

export interface ScanRequest {
  readonly root: string;
  readonly query: SearchQuery;
  readonly sessions: readonly (readonly string[])[];
  /** Milliseconds since the epoch: later no session begins, except the first one. */
  readonly until: number;
  /** Default is false: the scan of a session ends at its first match. */
  readonly counts?: boolean | undefined;
}

export interface ScanResult {
  /** Lines per session that may match; 1 for any number if lines are not counted. */
  readonly matches: readonly number[];
  readonly problems: readonly string[];
}

/** Bytes per step: texts over about 100 KiB are slow to create. */
const CHUNK = 64 * 1024;

/**
 * Ignores files that are gone or cut, and later additions. A reading task.
 * @param open opens a file. Default is the file on disk
 */
export function* scanFiles(
  { root, query, sessions, until, counts = false }: ScanRequest,
  open: OpenFileOf = opening(root),
): Generator<void, ScanResult> {
  const pattern = bytePatternOf(query);
  const matches: number[] = [];
  const problems: string[] = [];
  if (pattern === undefined) return { matches: sessions.map(() => 1), problems };
  const scan = new Scan(root, pattern, open);
  const most = counts ? Number.POSITIVE_INFINITY : 1;
  for (const files of sessions) {
    if (matches.length > 0 && Date.now() >= until) break;
    let lines = 0;
    for (const file of files) {
      try {
        lines += yield* scan.linesOf(file, most);
      } catch (error) {
        if (!(error instanceof SourceUnavailableError)) throw error;
        problems.push(error.message);
      }
      if (lines >= most) break;
    }
    matches.push(lines);
  }
  return { matches, problems };
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

export const SCAN_FILES: ReadingTask<ScanRequest, ScanResult> = {
  module: ownModule(import.meta.url, "scan-files"),
  name: "scanFiles",
  steps: (request: ScanRequest) => scanFiles(request),
};

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
  /** Bytes that a chunk leaves for the next one: a match may lie across both. */
  readonly #overlap: number;
  readonly #buffer: Buffer;

  constructor(root: string, pattern: BytePattern, open: OpenFileOf) {
    this.#root = root;
    this.#open = open;
    this.#pattern = pattern;
    this.#overlap = pattern.longest - 1;
    this.#buffer = Buffer.allocUnsafeSlow(this.#overlap + CHUNK);
  }

  /** Stops at `most`. */
  *linesOf(file: string, most: number): Generator<void, number> {
    const opened = yield* this.#open(file);
    if (opened === undefined) return 0;
    const { descriptor, identity } = opened;
    const buffer = this.#buffer;
    const lines = new LineCount(this.#pattern, this.#overlap);
    try {
      let held = 0;
      for (let at = 0; at < identity.size && lines.count < most; yield) {
        const wanted = Math.min(CHUNK, identity.size - at);
        const read =
          existingSync(() => readSync(descriptor, buffer, held, wanted, at), this.#root, file) ?? 0;
        if (read === 0) break;
        at += read;
        const end = held + read;
        held = lines.add(buffer.toString("latin1", 0, end), most);
        buffer.copyWithin(0, end - held, end);
      }
      return lines.count;
    } finally {
      opened.close();
    }
  }
}

/** No spelling of a text goes beyond the end of its line. */
class LineCount {
  count = 0;
  readonly #pattern: BytePattern;
  readonly #overlap: number;
  /** The line continues in the next chunk. */
  #isCounted = false;

  constructor(pattern: BytePattern, overlap: number) {
    this.#pattern = pattern;
    this.#overlap = overlap;
  }

  /** @returns length of the chunk's end to repeat before the next chunk */
  add(chunk: string, most: number): number {
    let at = 0;
    if (this.#isCounted) {
      at = chunk.indexOf("\n") + 1;
      if (at === 0) return 0;
      this.#isCounted = false;
    }
    if (!this.#pattern.isIn(chunk)) return Math.min(this.#overlap, chunk.length - at);
    while (this.count < most) {
      const match = this.#pattern.next(chunk, at);
      if (match === -1) break;
      this.count++;
      at = chunk.indexOf("\n", match) + 1;
      this.#isCounted = at === 0;
      if (this.#isCounted) return 0;
    }
    return Math.min(this.#overlap, chunk.length - at);
  }
}
