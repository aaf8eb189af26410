import { fstatSync, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { SourceChangedError } from "../../../application/errors.js";
import { ByteFingerprint } from "../../../domain/text/fingerprints.js";
import type { OpenFile } from "./contained-files.js";
import { type FileIdentity, identify, isSameFile, isUnchanged } from "./file-identities.js";

/** A file as it was when it was read: plain data, so that the next reading can go on from it in another thread. */
export interface FileState {
  readonly identity: FileIdentity;
  /** Of its first and its last bytes: they are still there where the file only grew. */
  readonly fingerprint: string;
}

export interface FileEnd extends FileState {
  /** Behind the last line that has an end. */
  readonly offset: number;
}

/** How many bytes of the beginning, and how many of the end, make the fingerprint. */
const EDGE = 4 * 1024;

/** How often a file that changes under the reading is read anew before the reading is given up. */
const READINGS = 4;

/**
 * Reads what was added to an open file, or all of it where more has changed than that. What changes while it is read is read
 * anew; what is only added meanwhile is left to the next reading.
 *
 * @param known the file as the last reading left it
 * @param read reads from `known` on, or from the beginning without it, and up to the size of the state
 * @param isStillThere whether what was read is. Default is whether the file has at most grown
 * @throws SourceChangedError for a file that is written over again and again
 */
export function* readGrowth<Known extends FileState, T>(
  file: OpenFile,
  known: Known | undefined,
  read: (known: Known | undefined, state: FileState) => Generator<void, T>,
  isStillThere = goesOnFrom,
): Generator<void, T> {
  const { descriptor, identity } = file;
  let from = known !== undefined && isStillThere(known, descriptor, identity) ? known : undefined;
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

/**
 * Whether what was read of a file is still there: nothing has changed, or something was added behind it. A file of the same
 * size that was written to since has another content.
 */
export function goesOnFrom(known: FileState, descriptor: number, now: FileIdentity): boolean {
  if (isUnchanged(known.identity, now)) return true;
  return (
    hasGrown(known.identity, now) && fingerprintOf(descriptor, known.identity.size) === known.fingerprint
  );
}

/** The same for a file that is written anew whenever it changes, as a JSON document is. */
export function isAsItWas(known: FileState, _descriptor: number, now: FileIdentity): boolean {
  return isUnchanged(known.identity, now);
}

/** The same as {@link goesOnFrom} for a file that is open on the event loop. */
export async function goesOnFromHandle(
  known: FileState,
  handle: FileHandle,
  now: FileIdentity,
): Promise<boolean> {
  if (isUnchanged(known.identity, now)) return true;
  if (!hasGrown(known.identity, now)) return false;
  const fingerprint = new ByteFingerprint();
  for (const { from, to } of edgesOf(known.identity.size)) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(to - from), 0, to - from, from);
    fingerprint.add(buffer.subarray(0, bytesRead));
  }
  return fingerprint.toString() === known.fingerprint;
}

function hasGrown(known: FileIdentity, now: FileIdentity): boolean {
  return isSameFile(known, now) && now.size > known.size;
}

function fingerprintOf(descriptor: number, size: number): string {
  const fingerprint = new ByteFingerprint();
  for (const { from, to } of edgesOf(size)) {
    const bytes = new Uint8Array(to - from);
    fingerprint.add(bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from)));
  }
  return fingerprint.toString();
}

/** The beginning and the end of a file of some size; all of it where they meet. */
function edgesOf(size: number): readonly { readonly from: number; readonly to: number }[] {
  if (size <= 2 * EDGE) return [{ from: 0, to: size }];
  return [
    { from: 0, to: EDGE },
    { from: size - EDGE, to: size },
  ];
}
