import { LRUCache } from "lru-cache";
import type { DiskCache } from "../files/cache/disk-cache.js";

/** How a folder is looked through. */
export interface FolderLookup {
  /** Where a format may cache what it read of files. Default is nowhere. */
  readonly cache?: DiskCache | undefined;
  /** What was found since then is new enough, as {@link instantOfProcess} gives it. Default is that it is found anew. */
  readonly since?: number | undefined;
}

const FOLDERS = 8;

/** In milliseconds, the same in all threads, and finer than files change: in one millisecond a folder is found, written to and asked for again. */
export function instantOfProcess(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Finds what lies in a folder once for all who ask for it at a time: a list asks for each tenant in turn, in several threads, and most
 * formats find all tenants together.
 */
export function foundOnce<T>(
  find: (root: string, cache?: DiskCache) => Generator<void, T>,
): (root: string, lookup?: FolderLookup) => Generator<void, T> {
  const last = new LRUCache<string, { readonly begunAt: number; readonly value: T }>({
    max: FOLDERS,
  });
  return function* (root, { cache, since } = {}) {
    const known = last.get(root);
    if (known !== undefined && since !== undefined && known.begunAt >= since) return known.value;
    const begunAt = instantOfProcess();
    const value = yield* find(root, cache);
    last.set(root, { begunAt, value });
    return value;
  };
}
