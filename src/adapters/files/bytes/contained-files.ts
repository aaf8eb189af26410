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
 * Access to files below one folder. Nothing outside it is ever read, listed or looked up: a link may lead elsewhere inside, but not out.
 * The location of a file is checked after it was opened, so that no other file can replace it meanwhile. The result is `undefined` for a
 * path that is absent, outside, or not a regular file. For an unreadable path a `SourceUnavailableError` names its path relative to the
 * folder, never the path of the machine.
 */

/** Linux states where an open file lies. Elsewhere the real path is opened, and looked up again. */
export const DESCRIPTORS = process.platform === "linux" ? "/proc/self/fd/" : undefined;

const READ_ONLY =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (DESCRIPTORS === undefined ? (constants.O_NOFOLLOW ?? 0) : 0);

/** Linux: the file is not read, so that nobody has to be allowed to. */
export const O_PATH = 0o10000000;

/** A file that a thread opened: a descriptor. */
export interface OpenFile {
  readonly descriptor: number;
  readonly identity: FileIdentity;
  /** The file as it is now. Default is what its descriptor says. */
  current?(): FileIdentity;
}

/**
 * Opens a file in a thread, which may wait for the disk; the caller closes it.
 *
 * @param realRoot what {@link realRootOf} gives for the root: for a caller that opens many files
 */
export function openContained(
  root: string,
  file: string,
  realRoot: string | undefined = realRootOf(root),
): OpenFile | undefined {
  return foundSync(
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

/** A file that was opened on the event loop. */
export interface OpenHandle {
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
}

/** Opens a file on the event loop; the caller closes it. */
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

/** Returns the status of a path after following links, if it is inside; for threads. */
export function statContained(root: string, file: string): Stats | undefined {
  const realRoot = realRootOf(root);
  return foundSync(
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

/**
 * The same for a file of a folder that {@link entriesIn} gave: it lies inside unless it is a link, and `lstat` costs less.
 */
export function statEntry(root: string, file: string): Stats | undefined {
  const stats = foundSync(() => lstatSync(file, { throwIfNoEntry: false }), root, file);
  return stats?.isSymbolicLink() ? statContained(root, file) : stats;
}

/** Returns the entries of a folder, if it is inside; for threads. */
export function entriesIn(root: string, folder: string): Dirent[] | undefined {
  const realRoot = realRootOf(root);
  return foundSync(
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

/** A path inside, for warnings and errors: relative, with `/`. */
export function nameInside(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/") || ".";
}

/** Returns the location of an open file; `undefined` if it cannot be determined. */
function placeOfSync(descriptor: number, target: string, stats: Stats): string | undefined {
  return DESCRIPTORS === undefined ? placeAgain(target, stats) : readlinkSync(DESCRIPTORS + descriptor);
}

async function placeOf(handle: FileHandle, target: string, stats: Stats): Promise<string | undefined> {
  if (DESCRIPTORS !== undefined) return readlink(DESCRIPTORS + handle.fd);
  const [real, there] = [await realpath(target), await lstat(target)];
  return isThere(target, stats, real, there) ? real : undefined;
}

/** A real path that was looked up before; nothing where it leads elsewhere now, or another file lies there. */
function placeAgain(target: string, stats: Stats): string | undefined {
  const real = realpathSync.native(target);
  return isThere(target, stats, real, lstatSync(target)) ? real : undefined;
}

function isThere(target: string, stats: Stats, real: string, there: Stats): boolean {
  return real === target && isSameFile(identify(there), identify(stats));
}

/** The folder's real path, links resolved; `undefined` where it is not there. For threads. */
export function realRootOf(root: string): string | undefined {
  return foundSync(() => realpathSync.native(root), root, root);
}

/** True if a real path is in a folder, or is the folder. */
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

/** Returns the result of a call of the file system; `undefined` if the file does not exist. */
export function foundSync<T>(call: () => T, root: string, file: string): T | undefined {
  try {
    return call();
  } catch (error) {
    return absentOrThrow(error, root, file);
  }
}

/** Returns the result if it may be read: unreadable files are treated as absent. */
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
