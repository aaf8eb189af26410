import { constants } from "node:fs";
import { type FileHandle, lstat, rm } from "node:fs/promises";
import path from "node:path";
import type { UnchangedFile } from "../../domain/session/history-files.js";
import { openHandle } from "../files/bytes/contained-files.js";
import { type OpenFolder, openIn } from "../files/bytes/contained-writes.js";
import type { FileIdentity } from "../files/bytes/file-identities.js";
import { type CopiedFiles, moveInto, putAside } from "./copied-files.js";
import { readBytes } from "./read-consistently.js";

export type KeepOutcome =
  | { readonly file: string; readonly outcome: "copied"; readonly bytes: number }
  | { readonly file: string; readonly outcome: "unchanged"; readonly bytes: number }
  | UnchangedFile
  | { readonly file: string; readonly outcome: "failed"; readonly reason: string };

export interface KeepPlace {
  readonly root: string;
  readonly to: string;
  /** Name of this folder's copies below `to`. */
  readonly name: string;
  readonly copies: CopiedFiles;
  readonly unfinished: OpenFolder;
  readonly signal: AbortSignal;
}

export interface CopiedFile {
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
  readonly bytes: number;
  readonly members?: readonly string[] | undefined;
  readonly isLines: boolean;
}

export interface UnfinishedCopy {
  readonly path: string;
  readonly sha256: string;
  readonly beginning: string | undefined;
}

/** Reads the copy again and compares its hash with that of the original. */
export async function writeCopy(
  { unfinished, signal }: KeepPlace,
  { handle, identity, bytes }: CopiedFile,
  beginning: number | undefined,
  suffix = "",
): Promise<UnfinishedCopy> {
  const name = process.pid + suffix;
  const file = path.join(unfinished.path, name);
  await rm(file, { force: true });
  const target = await openIn(unfinished, name, NEW_FILE, 0o600);
  try {
    // `handle.write` may write only a part, and report no error.
    const write = (piece: Buffer) => target.writeFile(piece);
    const read = await readBytes(handle, bytes, { write, beginning, signal });
    await target.datasync();
    const written = await readBytes(target, bytes, { signal });
    if (written.sha256 !== read.sha256)
      throw new Error("What was written is not what was read: the disk may be damaged.");
    await target.utimes(identity.modifiedAt / 1_000, identity.modifiedAt / 1_000);
    return { path: file, sha256: read.sha256, beginning: read.beginning };
  } finally {
    await target.close();
  }
}

const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

/** Refuses if the previous copy has more content. */
export async function putInPlace(
  place: KeepPlace,
  name: string,
  { identity, bytes, members, isLines }: CopiedFile,
  copy: UnfinishedCopy,
): Promise<KeepOutcome> {
  const { to, copies } = place;
  const target = path.join(place.name, name);
  const before = copies.get(name);
  const isThere = before !== undefined && (await sizeOfCopy(place, name)) === before.bytes;
  const source = { bytes: identity.size, modifiedAt: identity.modifiedAt };
  if (isThere && before.sha256 === copy.sha256 && !hasLost(before.members, members)) {
    await copies.add({ ...before, source, members });
    return { file: name, outcome: "unchanged", bytes };
  }
  if (isThere && isLines && bytes < before.bytes && (await beginsWith(to, target, bytes, copy.sha256))) {
    return { file: name, outcome: "cut", bytes: before.bytes };
  }
  const isLost =
    isThere &&
    (isLines ? copy.beginning !== before.sha256 : bytes < before.bytes || hasLost(before.members, members));
  const earlier = isLost ? await putAside(to, place.name, before) : undefined;
  await moveInto(to, copy.path, target);
  await copies.add({ file: name, bytes, sha256: copy.sha256, source, members });
  return earlier === undefined
    ? { file: name, outcome: "copied", bytes }
    : { file: name, outcome: "replaced", bytes, earlier };
}

function hasLost(before: readonly string[] = [], now: readonly string[] = []): boolean {
  const there = new Set(now);
  return before.some((member) => !there.has(member));
}

async function beginsWith(to: string, name: string, bytes: number, sha256: string): Promise<boolean> {
  const opened = await openHandle(to, path.join(to, name));
  if (opened === undefined) return false;
  try {
    return (await readBytes(opened.handle, bytes)).sha256 === sha256;
  } finally {
    await opened.handle.close();
  }
}

/** `undefined` without a copy. A link is not a copy. */
export async function sizeOfCopy({ to, name }: KeepPlace, file: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path.join(to, name, file));
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
