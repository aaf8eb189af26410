import { type FileHandle, open, rename, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { KeptAsItWas } from "../../domain/session/kept-histories.js";
import type { FileIdentity } from "../files/bytes/file-identities.js";
import { type KeptFiles, makeFolder, putAside, unfinishedFile } from "./kept-files.js";
import { readBytes } from "./read-consistently.js";

/** What a file's copying came to. */
export type KeepOutcome =
  | { readonly file: string; readonly outcome: "copied"; readonly bytes: number }
  | { readonly file: string; readonly outcome: "unchanged"; readonly bytes: number }
  | KeptAsItWas
  | { readonly file: string; readonly outcome: "failed"; readonly reason: string };

/** Where a folder is copied to. */
export interface KeepPlace {
  /** The folder that is copied. */
  readonly root: string;
  /** The folder of all copies. */
  readonly to: string;
  /** Below it that of this one. */
  readonly name: string;
  readonly kept: KeptFiles;
  readonly signal: AbortSignal;
}

export interface CopiedFile {
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
  readonly bytes: number;
  readonly members?: readonly string[] | undefined;
  /** Whether it is only appended to. */
  readonly isLines: boolean;
}

export interface UnfinishedCopy {
  readonly path: string;
  readonly sha256: string;
  readonly beginning: string | undefined;
}

/** Writes a copy, which is read again and has to have the hash of what was read. */
export async function writeCopy(
  { to, signal }: KeepPlace,
  { handle, identity, bytes }: CopiedFile,
  beginning: number | undefined,
  suffix = "",
): Promise<UnfinishedCopy> {
  const unfinished = (await unfinishedFile(to)) + suffix;
  const target = await open(unfinished, "w+", 0o600);
  try {
    const write = (piece: Buffer) => target.write(piece);
    const read = await readBytes(handle, bytes, { write, beginning, signal });
    await target.datasync();
    const written = await readBytes(target, bytes, { signal });
    if (written.sha256 !== read.sha256)
      throw new Error("What was written is not what was read: the disk may be damaged.");
    return { path: unfinished, sha256: read.sha256, beginning: read.beginning };
  } finally {
    await target.close();
    await utimes(unfinished, identity.modifiedAt / 1_000, identity.modifiedAt / 1_000);
  }
}

/** Gives a copy its name, unless the copy of before holds more. */
export async function putInPlace(
  place: KeepPlace,
  name: string,
  { identity, bytes, members, isLines }: CopiedFile,
  copy: UnfinishedCopy,
): Promise<KeepOutcome> {
  const { to, kept } = place;
  const target = path.join(to, place.name, name);
  const before = kept.get(name);
  const isThere = before !== undefined && (await statOrNone(target))?.size === before.bytes;
  const source = { bytes: identity.size, modifiedAt: identity.modifiedAt };
  if (isThere && before.sha256 === copy.sha256 && !hasLost(before.members, members)) {
    await kept.add({ ...before, source, members });
    return { file: name, outcome: "unchanged", bytes };
  }
  if (isThere && isLines && bytes < before.bytes && (await beginsWith(target, bytes, copy.sha256))) {
    return { file: name, outcome: "cut", bytes: before.bytes };
  }
  const isLost =
    isThere &&
    (isLines ? copy.beginning !== before.sha256 : bytes < before.bytes || hasLost(before.members, members));
  await makeFolder(to, path.dirname(target));
  const earlier = isLost ? await putAside(to, place.name, before) : undefined;
  await rename(copy.path, target);
  await kept.add({ file: name, bytes, sha256: copy.sha256, source, members });
  return earlier === undefined
    ? { file: name, outcome: "copied", bytes }
    : { file: name, outcome: "replaced", bytes, earlier };
}

function hasLost(before: readonly string[] = [], now: readonly string[] = []): boolean {
  const there = new Set(now);
  return before.some((member) => !there.has(member));
}

async function beginsWith(file: string, bytes: number, sha256: string): Promise<boolean> {
  const handle = await open(file);
  try {
    return (await readBytes(handle, bytes)).sha256 === sha256;
  } finally {
    await handle.close();
  }
}

export async function statOrNone(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
