import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import { type FileIdentity, identify } from "./file-identity.js";

/**
 * Files below one folder. Nothing outside it is ever opened: a link may lead elsewhere inside, but not out. Where a file lies
 * is looked up after it was opened, so that no other one can be put in its place meanwhile. What is not there, is no
 * regular file or lies outside is `undefined`; what may not be read is a `SourceUnavailableError` that names it by its path
 * from the folder on, never as the machine does.
 */

const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file that a thread opened: a descriptor. */
export interface OpenFile {
  readonly descriptor: number;
  readonly identity: FileIdentity;
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
  const descriptor = foundSync(() => openSync(file, READ_ONLY), root, file);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    const real = stats.isFile() ? foundSync(() => placeOfSync(descriptor, file), root, file) : undefined;
    if (real !== undefined && isBelow(realRoot, real)) return { descriptor, identity: identify(stats) };
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** A file that was opened on the event loop. */
export interface OpenHandle {
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
}

/** Opens a file on the event loop; the caller closes it. */
export async function openHandle(root: string, file: string): Promise<OpenHandle | undefined> {
  const handle = await found(open(file, READ_ONLY), root, file);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    const real = stats.isFile() ? await found(placeOf(handle, file), root, file) : undefined;
    const realRoot = await found(realpath(root), root, root);
    if (real !== undefined && isBelow(realRoot, real)) return { handle, identity: identify(stats) };
    await handle.close();
    return undefined;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** What lies at a path, links followed, where it lies inside; for threads. */
export function statContained(root: string, file: string): Stats | undefined {
  const stats = foundSync(() => statSync(file, { throwIfNoEntry: false }), root, file);
  if (stats === undefined) return undefined;
  const real = foundSync(() => realpathSync.native(file), root, file);
  return real !== undefined && isBelow(realRootOf(root), real) ? stats : undefined;
}

/** A path inside, for warnings and errors: relative, with `/`. */
export function nameInside(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/") || ".";
}

/** Linux knows where an open file lies; elsewhere its path is looked up again. */
const DESCRIPTORS = process.platform === "linux" ? "/proc/self/fd/" : undefined;

function placeOfSync(descriptor: number, file: string): string {
  return DESCRIPTORS === undefined ? realpathSync.native(file) : readlinkSync(DESCRIPTORS + descriptor);
}

function placeOf(handle: FileHandle, file: string): Promise<string> {
  return DESCRIPTORS === undefined ? realpath(file) : readlink(DESCRIPTORS + handle.fd);
}

/** The folder's real path, links resolved; `undefined` where it is not there. For threads. */
export function realRootOf(root: string): string | undefined {
  return foundSync(() => realpathSync.native(root), root, root);
}

/** Whether a real path lies in a folder, or is it. */
export function isBelow(realRoot: string | undefined, real: string): boolean {
  return realRoot !== undefined && (real === realRoot || real.startsWith(realRoot + path.sep));
}

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EMFILE: "too many open files",
  ENFILE: "too many open files",
  EIO: "the disk reports an error",
};

/** What a call of the file system gives; `undefined` where there is nothing. */
export function foundSync<T>(call: () => T, root: string, file: string): T | undefined {
  try {
    return call();
  } catch (error) {
    return absentOrThrow(error, root, file);
  }
}

async function found<T>(call: Promise<T>, root: string, file: string): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    return absentOrThrow(error, root, file);
  }
}

function absentOrThrow(error: unknown, root: string, file: string): undefined {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (ABSENT.has(code)) return undefined;
  const problem = PROBLEMS[code] ?? "the file system failed";
  throw new SourceUnavailableError(`${nameInside(root, file)} cannot be read: ${problem}.`, { cause: error });
}
