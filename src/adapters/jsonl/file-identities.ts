import type { Stats } from "node:fs";
import type { FileIdentity } from "./file-identity.js";

/**
 * Identities of many files in one piece of memory, so that a thread can look them up by the thousand: four numbers each, in the
 * order of `FileIdentity`. All `NaN` is a file that is not there, all {@link UNREADABLE} one that may not be
 * looked up.
 */
export const NUMBERS_PER_IDENTITY = 4;

const UNREADABLE = -1;

/** What a lookup gives: nothing where there is no such file, `"unreadable"` where the file system refuses. */
export type LookedUp = FileIdentity | "unreadable" | undefined;

export function identityAt(identities: Float64Array, index: number): LookedUp {
  const at = index * NUMBERS_PER_IDENTITY;
  const device = identities[at]!;
  if (Number.isNaN(device)) return undefined;
  if (device === UNREADABLE) return "unreadable";
  return {
    device,
    inode: identities[at + 1]!,
    size: identities[at + 2]!,
    modifiedAt: identities[at + 3]!,
  };
}

/** What `stat` gives: nothing where there is no such file, `"unreadable"` where the file system refuses. */
export type StatResult = Stats | "unreadable" | undefined;

export function setIdentity(identities: Float64Array, index: number, stats: StatResult): void {
  const at = index * NUMBERS_PER_IDENTITY;
  if (stats === undefined) identities.fill(Number.NaN, at, at + NUMBERS_PER_IDENTITY);
  else if (stats === "unreadable") identities.fill(UNREADABLE, at, at + NUMBERS_PER_IDENTITY);
  else {
    identities[at] = stats.dev;
    identities[at + 1] = stats.ino;
    identities[at + 2] = stats.size;
    identities[at + 3] = stats.mtimeMs;
  }
}
