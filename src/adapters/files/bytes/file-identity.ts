import type { Stats } from "node:fs";

/** The file as it was when it was looked up. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** When its content, its name or its rights changed last, in milliseconds since the epoch: no program can set it. */
  readonly changedAt: number;
}

export function identify(stats: Stats): FileIdentity {
  return {
    device: stats.dev,
    inode: stats.ino,
    size: stats.size,
    modifiedAt: stats.mtimeMs,
    changedAt: stats.ctimeMs,
  };
}

/** The same file, perhaps grown or written over since; or another one that was given its number when it was gone. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode;
}

/** The same file with the same content, as far as can be known without reading it. */
export function isUnchanged(a: FileIdentity, b: FileIdentity): boolean {
  return (
    isSameFile(a, b) && a.size === b.size && a.modifiedAt === b.modifiedAt && a.changedAt === b.changedAt
  );
}
