import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../../application/errors.js";
import { type FileIdentity, identify, isSameFile } from "./file-identities.js";

/**
 * Access to files below one folder: no link leads out. The location is checked after a file is open, so that no other file can replace it
 * meanwhile. Absent, outside and irregular files are `undefined`; a `SourceUnavailableError` names the path relative to the folder, never
 * that of the machine.
 */

/** Linux names the location of an open file. Elsewhere the real path is looked up twice. */
export const DESCRIPTORS = process.platform === "linux" ? "/proc/self/fd/" : undefined;

const READ_ONLY =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (DESCRIPTORS === undefined ? (constants.O_NOFOLLOW ?? 0) : 0);

/** Linux: opens without a read permission. */
export const O_PATH = 0o10000000;

export interface OpenFile {
  readonly descriptor: number;
  readonly identity: FileIdentity;
  /** Present state. Default is the descriptor's. */
  current?(): FileIdentity;
}

/**
 * For threads, because it may wait for the disk; the caller closes the file.
 * @param realRoot result of {@link realRootOf}, for a caller that opens many files
 */
export function openContained(
  root: string,
  file: string,
  realRoot: string | undefined = realRootOf(root),
): OpenFile | undefined {
  return existingSync(
    () => {
      const target = DESCRIPTORS === undefined ? realpathSync.native(file) : file;
      const descriptor = openSync(target, READ_ONLY);
      try {
        const stats = fstatSync(descriptor);
        const isInside = stats.isFile() && isBelow(realRoot, placeOfSync(descriptor, target, stats));
        if (isInside) return { descriptor, identity: identify(stats) };
        closeSync(descriptor);
        return undefined;
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
    },
    root,
    file,
  );
}

export interface OpenHandle {
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
}

/** The caller closes the file. */
export async function openHandle(root: string, file: string): Promise<OpenHandle | undefined> {
  const opening = async () => {
    const target = DESCRIPTORS === undefined ? await realpath(file) : file;
    const handle = await open(target, READ_ONLY);
    try {
      const stats = await handle.stat();
      const isInside = stats.isFile() && isBelow(await realpath(root), await placeOf(handle, target, stats));
      if (isInside) return { handle, identity: identify(stats) };
      await handle.close();
      return undefined;
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
  return opening().catch((error: unknown) => absentOrThrow(error, root, file));
}

/** Follows links, if the target is inside; for threads. */
export function statContained(root: string, file: string): Stats | undefined {
  const realRoot = realRootOf(root);
  return existingSync(
    () => {
      if (DESCRIPTORS === undefined) {
        const real = realpathSync.native(file);
        const stats = lstatSync(real);
        return isBelow(realRoot, placeAgain(real, stats)) ? stats : undefined;
      }
      const descriptor = openSync(file, O_PATH);
      try {
        return isBelow(realRoot, readlinkSync(DESCRIPTORS + descriptor)) ? fstatSync(descriptor) : undefined;
      } finally {
        closeSync(descriptor);
      }
    },
    root,
    file,
  );
}

/** For a file from {@link entriesIn}: it lies inside unless it is a link, and `lstat` costs less. */
export function statEntry(root: string, file: string): Stats | undefined {
  const stats = existingSync(() => lstatSync(file, { throwIfNoEntry: false }), root, file);
  return stats?.isSymbolicLink() ? statContained(root, file) : stats;
}

/** For threads. */
export function entriesIn(root: string, folder: string): Dirent[] | undefined {
  const realRoot = realRootOf(root);
  return existingSync(
    () => {
      if (DESCRIPTORS === undefined) {
        const real = realpathSync.native(folder);
        const stats = lstatSync(real);
        if (!isBelow(realRoot, real)) return undefined;
        const entries = readdirSync(real, { withFileTypes: true });
        return placeAgain(real, stats) === undefined ? undefined : entries;
      }
      const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
      try {
        const opened = DESCRIPTORS + descriptor;
        if (!isBelow(realRoot, readlinkSync(opened))) return undefined;
        return readdirSync(opened, { withFileTypes: true });
      } finally {
        closeSync(descriptor);
      }
    },
    root,
    folder,
  );
}

/** For warnings and errors: relative, with `/`. */
export function nameInside(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/") || ".";
}

function placeOfSync(descriptor: number, target: string, stats: Stats): string | undefined {
  return DESCRIPTORS === undefined ? placeAgain(target, stats) : readlinkSync(DESCRIPTORS + descriptor);
}

async function placeOf(handle: FileHandle, target: string, stats: Stats): Promise<string | undefined> {
  if (DESCRIPTORS !== undefined) return readlink(DESCRIPTORS + handle.fd);
  const [real, there] = [await realpath(target), await lstat(target)];
  return isThere(target, stats, real, there) ? real : undefined;
}

/** `undefined` if the path leads elsewhere now, or if another file lies there. */
function placeAgain(target: string, stats: Stats): string | undefined {
  const real = realpathSync.native(target);
  return isThere(target, stats, real, lstatSync(target)) ? real : undefined;
}

function isThere(target: string, stats: Stats, real: string, there: Stats): boolean {
  return real === target && isSameFile(identify(there), identify(stats));
}

/** `undefined` if it does not exist. For threads. */
export function realRootOf(root: string): string | undefined {
  return existingSync(() => realpathSync.native(root), root, root);
}

/** Includes the folder itself. */
export function isBelow(realRoot: string | undefined, real: string | undefined): boolean {
  if (realRoot === undefined || real === undefined) return false;
  return real === realRoot || real.startsWith(realRoot + path.sep);
}

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EMFILE: "too many open files",
  ENFILE: "too many open files",
  EIO: "the disk reports an error",
};

export function existingSync<T>(call: () => T, root: string, file: string): T | undefined {
  try {
    return call();
  } catch (error) {
    return absentOrThrow(error, root, file);
  }
}

/** Unreadable files count as absent. */
export function readableOrNone<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof SourceUnavailableError) return undefined;
    throw error;
  }
}

function absentOrThrow(error: unknown, root: string, file: string): undefined {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (ABSENT.has(code)) return undefined;
  const problem = PROBLEMS[code] ?? "the file system failed";
  throw new SourceUnavailableError(`${nameInside(root, file)} cannot be read: ${problem}.`, { cause: error });
}
