import { fstatSync, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { SourceChangedError } from "../../../application/errors.js";
import { ByteFingerprint } from "../../../domain/text/fingerprints.js";
import type { OpenFile } from "./contained-files.js";
import { type FileIdentity, identify, isSameFile, isUnchanged } from "./file-identities.js";

/** State of a file when it was read: plain data, so that the next reading can continue from it in another thread. */
export interface FileState {
  readonly identity: FileIdentity;
  /** Of its first and its last bytes: they are still there where the file only grew. */
  readonly fingerprint: string;
}

export interface FileEnd extends FileState {
  /** Offset after the last complete line. */
  readonly offset: number;
}

/** Number of bytes of the beginning, and of the end, that make the fingerprint. */
const EDGE = 4 * 1024;

/** Maximum number of readings of a file that changes during reading; after these the reading is abandoned. */
const READINGS = 4;

/**
 * Reads the additions to an open file, or the complete file if more has changed. A file that changes during reading is read again;
 * additions during reading are left to the next reading.
 *
 * @param known state of the file after the last reading
 * @param read reads from `known`, or from the beginning without it, and up to the size of the state
 * @param isStillThere true if the read content still exists. Default is a check that the file has at most grown
 * @throws SourceChangedError for a file that is overwritten again and again
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
 * True if the read content of a file still exists: nothing has changed, or something was appended. A file of the same size with a later
 * write has other content.
 */
export function goesOnFrom(known: FileState, descriptor: number, now: FileIdentity): boolean {
  if (isUnchanged(known.identity, now)) return true;
  return (
    hasGrown(known.identity, now) && fingerprintOf(descriptor, known.identity.size) === known.fingerprint
  );
}

/** The same for a file that is rewritten at each change, such as a JSON document. */
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
