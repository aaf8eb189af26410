import { LRUCache } from "lru-cache";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { DiskCache } from "../files/cache/disk-cache.js";

/** Takes what of a folder is not read, and why. */
export type OnWarning = (warning: RecordWarning) => void;

/** Options for searching a folder. */
export interface FolderLookup {
  /** Location in which a format may cache file content. Default is no cache. */
  readonly cache?: DiskCache | undefined;
  /** Results since this instant are recent enough, as {@link instantOfProcess} returns it. Default is a new search. */
  readonly since?: number | undefined;
  /** Called with each file that is not read, and the reason. Default is no call. */
  readonly warn?: OnWarning | undefined;
}

/** A folder of OpenCode is looked through database by database, and has up to 20. */
const FOLDERS = 20;

/**
 * In milliseconds, the same in all threads, and finer than file timestamps: a folder may be searched, written to and requested again
 * within one millisecond.
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
 * Finds what lies in a folder once for all who ask for it at a time: a list asks for each tenant in turn, in several threads, and most
 * formats find all tenants together.
 */
export function foundOnce<T>(
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
