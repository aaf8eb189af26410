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

interface DiscoveredFolder<T> {
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
  const last = new LRUCache<string, DiscoveredFolder<T>>({ max: FOLDERS });
  return function* (root, { cache, since, warn } = {}) {
    let discovered = last.get(root);
    if (discovered === undefined || since === undefined || discovered.begunAt < since) {
      const begunAt = instantOfProcess();
      const warnings: RecordWarning[] = [];
      const value = yield* find(root, { cache, warn: (warning) => warnings.push(warning) });
      discovered = { begunAt, value, warnings };
      last.set(root, discovered);
    }
    for (const warning of discovered.warnings) warn?.(warning);
    return discovered.value;
  };
}
