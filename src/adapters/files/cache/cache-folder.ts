import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { BUILD_ID } from "./build-id.js";

/**
 * A folder of cached values. Its files have names that only this module makes; what else lies in it is never touched, and no link
 * in it is followed.
 */

/** The build of the code and a hash of the owner. A file that is being written also has a random number. */
const NAME = /^[0-9a-f]{12}-[0-9a-f]{24}\.cache(?:\.[0-9a-f]{16}\.tmp)?$/;
const DRAFT = /\.tmp$/;

const BUILD = hash(BUILD_ID, 12);

const MOST_BYTES = 256 * 1024 * 1024;

/** When a file that is still being written is one that nobody writes any more, in milliseconds. */
const DRAFT_MS = 60 * 60_000;

const FILES_PER_PAUSE = 64;

/** @param owner whose values they are: a source, and what it caches */
export function cacheFileOf(dir: string, owner: string): string {
  return path.join(dir, `${BUILD}-${hash(owner, 24)}.cache`);
}

export interface CacheSize {
  readonly files: number;
  readonly bytes: number;
}

/** Returns the size of a folder's cache files; 0 if it cannot be read. */
export function* sizeOfCache(dir: string): Generator<void, CacheSize> {
  const files = yield* filesIn(dir);
  return { files: files.length, bytes: sum(files) };
}

/** Removes what this module made, and the folder where nothing else is left in it. */
export function* clearCache(dir: string): Generator<void, CacheSize> {
  const files = yield* filesIn(dir);
  for (const file of files) {
    remove(file);
    yield;
  }
  try {
    rmdirSync(dir);
  } catch {
    // Something else lies in it, or it is not there: either is as it should be.
  }
  return { files: files.length, bytes: sum(files) };
}

export interface TrimRequest {
  readonly dir: string;
  /** Default is 256 MiB. */
  readonly mostBytes?: number | undefined;
}

/** Removes what is too much: files of other builds first, then those that were used longest ago. */
export function* trimCache({ dir, mostBytes = MOST_BYTES }: TrimRequest): Generator<void, void> {
  const files = yield* filesIn(dir);
  const abandoned = Date.now() - DRAFT_MS;
  let bytes = sum(files);
  files.sort((a, b) => Number(a.isOfBuild) - Number(b.isOfBuild) || a.usedAt - b.usedAt);
  for (const file of files) {
    const isAbandoned = file.isDraft && file.usedAt < abandoned;
    if (!isAbandoned && bytes <= mostBytes) continue;
    remove(file);
    bytes -= file.bytes;
    yield;
  }
}

interface CacheFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly isOfBuild: boolean;
  readonly isDraft: boolean;
}

function* filesIn(dir: string): Generator<void, CacheFile[]> {
  const files: CacheFile[] = [];
  for (const [i, name] of namesIn(dir).entries()) {
    const file = path.join(dir, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) {
      const isOfBuild = name.startsWith(BUILD);
      files.push({
        path: file,
        bytes: stats.size,
        usedAt: stats.mtimeMs,
        isOfBuild,
        isDraft: DRAFT.test(name),
      });
    }
    if (i % FILES_PER_PAUSE === FILES_PER_PAUSE - 1) yield;
  }
  return files;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => NAME.test(name));
  } catch {
    return []; // not there, or not to be read: there is nothing to do
  }
}

/** Another process may have removed it. */
function remove(file: CacheFile): void {
  try {
    rmSync(file.path, { force: true });
  } catch {
    // It stays: the next one to trim tries again.
  }
}

function sum(files: readonly CacheFile[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
