import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { BUILD_ID } from "./build-id.js";

/** A folder of cached values. Only files with this module's names are touched, and no link is followed. */

/** The build of the code and a hash of the owner. A file that is being written also has a random number. */
const NAME = /^[0-9a-f]{12}-[0-9a-f]{24}\.cache(?:\.[0-9a-f]{16}\.tmp)?$/;
const DRAFT = /\.tmp$/;

const BUILD = hash(BUILD_ID, 12);

const MOST_BYTES = 256 * 1024 * 1024;

/** Age in milliseconds at which a draft is abandoned. */
const DRAFT_MS = 60 * 60_000;

/** @param owner the source, and the kind of values */
export function cacheFileOf(dir: string, owner: string): string {
  return path.join(dir, `${BUILD}-${hash(owner, 24)}.cache`);
}

export interface CacheSize {
  readonly files: number;
  readonly bytes: number;
}

/** 0 for an unreadable folder. */
export function* sizeOfCache(dir: string): Generator<void, CacheSize> {
  const files = yield* filesIn(dir);
  return { files: files.length, bytes: sum(files) };
}

/** Removes only this module's files, and the folder if it is empty then. */
export function* clearCache(dir: string): Generator<void, CacheSize> {
  const files = yield* filesIn(dir);
  for (const file of files) {
    remove(file);
    yield;
  }
  try {
    rmdirSync(dir);
  } catch {
    // The folder contains other files, or does not exist.
  }
  return { files: files.length, bytes: sum(files) };
}

export interface TrimRequest {
  readonly dir: string;
  /** Default is 256 MiB. */
  readonly mostBytes?: number | undefined;
}

/** Removes files of other builds first, then the least recently used ones. */
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
  for (const name of namesIn(dir)) {
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
    yield;
  }
  return files;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => NAME.test(name));
  } catch {
    return []; // Absent or unreadable.
  }
}

/** Another process may remove it first. */
function remove(file: CacheFile): void {
  try {
    rmSync(file.path, { force: true });
  } catch {
    // The next trim tries again.
  }
}

function sum(files: readonly CacheFile[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
