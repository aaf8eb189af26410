import { LRUCache } from "lru-cache";
import type { RecordWarning } from "../../../application/ports/record-stream.js";
import type { DiskCache } from "../../files/cache/disk-cache.js";

export type OnWarning = (warning: RecordWarning) => void;

export interface FolderLookup {
  /** Cache for file content. None by default. */
  readonly cache?: DiskCache | undefined;
  /** Earliest acceptable result, from {@link instantOfProcess}. Default is a new search. */
  readonly since?: number | undefined;
  readonly warn?: OnWarning | undefined;
}

/** OpenCode's folder has up to 20 databases. Each is searched as a folder. */
const FOLDERS = 20;

/**
 * In milliseconds, the same in all threads. Finer than file timestamps, because a folder may change between two searches of one
 * millisecond.
 */
export function instantOfProcess(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

interface FoundFolder<T> {
  readonly begunAt: number;
  readonly value: T;
  readonly warnings: readonly RecordWarning[];
}

/**
 * Shares one search among simultaneous callers: a list asks per tenant in several threads, and most formats search all tenants together.
 */
export function discoveredOnce<T>(
  find: (root: string, lookup: Pick<FolderLookup, "cache" | "warn">) => Generator<void, T>,
): (root: string, lookup?: FolderLookup) => Generator<void, T> {
  const last = new LRUCache<string, FoundFolder<T>>({ max: FOLDERS });
  return function* (root, { cache, since, warn } = {}) {
    let found = last.get(root);
    if (found === undefined || since === undefined || found.begunAt < since) {
      const begunAt = instantOfProcess();
      const warnings: RecordWarning[] = [];
      const value = yield* find(root, { cache, warn: (warning) => warnings.push(warning) });
      found = { begunAt, value, warnings };
      last.set(root, found);
    }
    for (const warning of found.warnings) warn?.(warning);
    return found.value;
  };
}
