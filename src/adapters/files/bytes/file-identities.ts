import type { Stats } from "node:fs";
import { instantOf } from "../../../domain/trace/instant.js";

/** State at the time of the lookup. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Milliseconds since the epoch; `changedAt` if a program set a time outside of the range of instants. */
  readonly modifiedAt: number;
  /** Last change of content, name or permissions, in milliseconds since the epoch: no program can set it. */
  readonly changedAt: number;
}

export function identify(stats: Stats): FileIdentity {
  return {
    device: stats.dev,
    inode: stats.ino,
    size: stats.size,
    modifiedAt: modifiedAt(stats),
    changedAt: stats.ctimeMs,
  };
}

function modifiedAt({ mtimeMs, ctimeMs }: Stats): number {
  return instantOf(mtimeMs) ?? ctimeMs;
}

/** Also true for another file that reuses the inode. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode;
}

/** Decides without reading the content. */
export function isUnchanged(a: FileIdentity, b: FileIdentity): boolean {
  return (
    isSameFile(a, b) && a.size === b.size && a.modifiedAt === b.modifiedAt && a.changedAt === b.changedAt
  );
}

/**
 * Many identities in one piece of memory, for threads: five numbers each, in the order of `FileIdentity`. `NaN` is an absent file, {@link
 * UNREADABLE} a refused one.
 */
export const NUMBERS_PER_IDENTITY = 5;

export const SIZE = 2;

export const MODIFIED_AT = 3;

const UNREADABLE = -1;

/** `undefined` for an absent file, `"unreadable"` if the file system refuses it. */
export type LookedUp = FileIdentity | "unreadable" | undefined;

export function identityAt(identities: Float64Array, index: number): LookedUp {
  const at = index * NUMBERS_PER_IDENTITY;
  const device = identities[at]!;
  if (Number.isNaN(device)) return undefined;
  if (device === UNREADABLE) return "unreadable";
  return {
    device,
    inode: identities[at + 1]!,
    size: identities[at + SIZE]!,
    modifiedAt: identities[at + 3]!,
    changedAt: identities[at + 4]!,
  };
}

/** `undefined` for an absent file, `"unreadable"` if the file system refuses it. */
export type StatResult = Stats | "unreadable" | undefined;

export function setIdentity(identities: Float64Array, index: number, stats: StatResult): void {
  const at = index * NUMBERS_PER_IDENTITY;
  if (stats === undefined) identities.fill(Number.NaN, at, at + NUMBERS_PER_IDENTITY);
  else if (stats === "unreadable") identities.fill(UNREADABLE, at, at + NUMBERS_PER_IDENTITY);
  else {
    identities[at] = stats.dev;
    identities[at + 1] = stats.ino;
    identities[at + SIZE] = stats.size;
    identities[at + MODIFIED_AT] = modifiedAt(stats);
    identities[at + 4] = stats.ctimeMs;
  }
}

export function identityNumbers({ device, inode, size, modifiedAt, changedAt }: FileIdentity): Float64Array {
  return Float64Array.of(device, inode, size, modifiedAt, changedAt);
}

/** Part of a revision; `-` for an absent or unreadable file. */
export function identityText(stat: LookedUp): string {
  return typeof stat === "object" ? Object.values(stat).join(".") : "-";
}

/** Milliseconds in which two changes may leave the same instant. Most file systems are finer than the first. */
const CLOCK_STEP_MS = 50;
const SECONDS_STEP_MS = 2_000;

/** True if all files are readable, and any later change results in another identity. */
export function areSettled(identities: Float64Array, now: number): boolean {
  for (let at = 0; at < identities.length; at += NUMBERS_PER_IDENTITY) {
    if (Number.isNaN(identities[at])) continue;
    const changedAt = identities[at + NUMBERS_PER_IDENTITY - 1]!;
    const step = changedAt % 1_000 === 0 ? SECONDS_STEP_MS : CLOCK_STEP_MS;
    if (identities[at] === UNREADABLE || now - changedAt <= step) return false;
  }
  return true;
}
