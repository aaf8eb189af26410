import { readSync } from "node:fs";
import { type FileIdentity, isSameFile, isUnchanged } from "./file-identity.js";

/** Where a reading of a file of JSON Lines ended: plain data, so that the next one can go on from it in another thread. */
export interface FileEnd {
  readonly identity: FileIdentity;
  /** Behind the last line that has an end. */
  readonly offset: number;
  /** The bytes before `offset`: they are still there where the file only grew. */
  readonly seam: Uint8Array;
}

const SEAM = 64;

/**
 * Whether what was read of a file is still there: nothing has changed, or something was added behind it. A file of the same
 * size that was written to since has another content.
 */
export function goesOnFrom(end: FileEnd, descriptor: number, now: FileIdentity): boolean {
  if (isUnchanged(end.identity, now)) return true;
  return (
    isSameFile(end.identity, now) &&
    now.size > end.identity.size &&
    Buffer.compare(seamBefore(descriptor, end.offset), end.seam) === 0
  );
}

export function seamBefore(descriptor: number, offset: number): Uint8Array<ArrayBuffer> {
  const seam = new Uint8Array(Math.min(SEAM, offset));
  return seam.subarray(0, readSync(descriptor, seam, 0, seam.length, offset - seam.length));
}
