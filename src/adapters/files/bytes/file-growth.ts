import { fstatSync, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { SourceChangedError } from "../../../application/errors.js";
import { ByteFingerprint } from "../../../domain/text/fingerprints.js";
import type { OpenFile } from "./contained-files.js";
import { type FileIdentity, identify, isSameFile, isUnchanged } from "./file-identities.js";

/** Plain data, so that another thread can continue from it. */
export interface FileState {
  readonly identity: FileIdentity;
  /** Covers the first and the last bytes: they stay if the file only grew. */
  readonly fingerprint: string;
}

export interface FileEnd extends FileState {
  /** Offset after the last complete line. */
  readonly offset: number;
}

/** Bytes at each end of the file for the fingerprint. */
const EDGE = 4 * 1024;

/** Bounds the readings of a file that changes meanwhile. */
const READINGS = 4;

/**
 * Reads additions, or the complete file after other changes. A file that changes meanwhile is read again; additions meanwhile wait for
 * the next reading.
 * @param read reads from the last state, or from the beginning without one, up to the size of the new state
 * @param isStillThere true if the earlier content still exists. Default: the file has at most grown
 * @throws SourceChangedError for a file that is overwritten again and again
 */
export function* readGrowth<Previous extends FileState, T>(
  file: OpenFile,
  previous: Previous | undefined,
  read: (previous: Previous | undefined, state: FileState) => Generator<void, T>,
  isStillThere = goesOnFrom,
): Generator<void, T> {
  const { descriptor, identity } = file;
  let from = previous !== undefined && isStillThere(previous, descriptor, identity) ? previous : undefined;
  let now = identity;
  for (let reading = 0; reading < READINGS; reading++) {
    const state = { identity: now, fingerprint: fingerprintOf(descriptor, now.size) };
    const result = yield* read(from, state);
    now = currentIdentity(file);
    if (isStillThere(state, descriptor, now)) return result;
    from = undefined;
  }
  throw new SourceChangedError("The session was written over while it was being read.");
}

export function currentIdentity({ descriptor, current }: OpenFile): FileIdentity {
  return current?.() ?? identify(fstatSync(descriptor));
}

/** True if the file is unchanged or only grew. Equal size with a later write counts as other content. */
export function goesOnFrom(previous: FileState, descriptor: number, now: FileIdentity): boolean {
  if (isUnchanged(previous.identity, now)) return true;
  return (
    hasGrown(previous.identity, now) &&
    fingerprintOf(descriptor, previous.identity.size) === previous.fingerprint
  );
}

/** For a file that its writer replaces completely, such as a JSON document. */
export function isAsItWas(previous: FileState, _descriptor: number, now: FileIdentity): boolean {
  return isUnchanged(previous.identity, now);
}

export async function goesOnFromHandle(
  previous: FileState,
  handle: FileHandle,
  now: FileIdentity,
): Promise<boolean> {
  if (isUnchanged(previous.identity, now)) return true;
  if (!hasGrown(previous.identity, now)) return false;
  const fingerprint = new ByteFingerprint();
  for (const { from, to } of edgesOf(previous.identity.size)) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(to - from), 0, to - from, from);
    fingerprint.add(buffer.subarray(0, bytesRead));
  }
  return fingerprint.toString() === previous.fingerprint;
}

function hasGrown(previous: FileIdentity, now: FileIdentity): boolean {
  return isSameFile(previous, now) && now.size > previous.size;
}

function fingerprintOf(descriptor: number, size: number): string {
  const fingerprint = new ByteFingerprint();
  for (const { from, to } of edgesOf(size)) {
    const bytes = new Uint8Array(to - from);
    fingerprint.add(bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from)));
  }
  return fingerprint.toString();
}

/** One range if the ends overlap. */
function edgesOf(size: number): readonly { readonly from: number; readonly to: number }[] {
  if (size <= 2 * EDGE) return [{ from: 0, to: size }];
  return [
    { from: 0, to: EDGE },
    { from: size - EDGE, to: size },
  ];
}
