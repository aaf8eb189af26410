import { constants, readlinkSync, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import path from "node:path";
import { DESCRIPTORS, isBelow, nameInside, O_PATH } from "./contained-files.js";

/**
 * Writes below one folder. Nothing outside of it is ever written, created, renamed or removed: a link may lead elsewhere inside, but not out.
 *
 * Linux: each folder is opened before anything in it is changed, and the changes go through its descriptor. So a link that takes the place
 * of the folder between the check and the write has no effect. Elsewhere the real path is checked before the write, and nothing more.
 */

/** Something in a folder is a link out of it, or not what it has to be. The message names it from the folder on. */
export class OutsideFolderError extends Error {
  override readonly name = "OutsideFolderError";
}

/** A folder that is open. */
export interface OpenFolder {
  /** Its path for calls of the file system, as long as the folder is open. */
  readonly path: string;
}

/**
 * Opens a folder below `root`, uses it, and closes it.
 *
 * @param root may be a link itself
 * @param folder is created where it does not exist, with the folders on the way, as `root` is
 * @param mode the permissions of a folder that is created. Default is what the process gives
 * @throws OutsideFolderError for a link that leads out of `root`, and for something that is not a folder
 */
export async function inFolder<T>(
  root: string,
  folder: string,
  use: (folder: OpenFolder) => Promise<T>,
  mode?: number,
): Promise<T> {
  const realRoot = await realpath(root).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    await mkdir(root, { recursive: true, mode });
    return realpath(root);
  });
  const opened = await openInside(path.resolve(root), realRoot, folderInside(root, folder), mode);
  try {
    return await use(opened);
  } catch (error) {
    throw withName(error, opened.path, folder);
  } finally {
    await opened.close();
  }
}

/** Opens a folder below `root`. Creates a missing one in its parent, which is opened in the same way. */
async function openInside(
  root: string,
  realRoot: string,
  folder: string,
  mode: number | undefined,
): Promise<FolderHandle> {
  const opened = await openFolder(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (folder === root) throw error;
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw explain(root, folder, error);
    const parent = await openInside(root, realRoot, path.dirname(folder), mode);
    const created = createIn(parent, path.basename(folder), mode);
    return created.catch((failure) => Promise.reject(explain(root, folder, failure))).finally(parent.close);
  });
  if (isBelow(realRoot, opened.realPath)) return opened;
  await opened.close();
  throw leadsOut(root, folder);
}

/**
 * Opens a file in a folder that is open. No link is followed.
 *
 * @param flags such as `O_RDWR | O_CREAT`
 * @param mode the permissions of a file that is created
 * @throws OutsideFolderError for a link, and for something that is not a file; it calls the file `name`
 */
export async function openIn(
  folder: OpenFolder,
  name: string,
  flags: number,
  mode?: number,
): Promise<FileHandle> {
  const file = path.join(folder.path, name);
  const handle = await open(file, flags | NO_LINK_OR_WAIT, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ELOOP" && error.code !== "EMLINK") throw error;
    throw new OutsideFolderError(`${name} is a link: nothing is written through it`);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new OutsideFolderError(`${name} is not a file`);
}

/** True if an open file is below a folder, whatever links led to it. */
export async function isInside(root: string, file: string, handle: FileHandle): Promise<boolean> {
  const real = DESCRIPTORS === undefined ? await realPathIfSame(file, handle) : realPathOf(handle);
  // A real path that begins with the root shows that the root is not a link.
  return isBelow(path.resolve(root), real) || isBelow(await realpath(root), real);
}

const NO_LINK_OR_WAIT = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface FolderHandle extends OpenFolder {
  readonly realPath: string;
  close(): Promise<void>;
}

async function openFolder(folder: string): Promise<FolderHandle> {
  if (DESCRIPTORS === undefined) {
    const realPath = await realpath(folder);
    return { path: realPath, realPath, close: async () => undefined };
  }
  const handle = await open(folder, O_PATH | constants.O_DIRECTORY);
  return { path: DESCRIPTORS + handle.fd, realPath: realPathOf(handle), close: () => handle.close() };
}

async function createIn(parent: OpenFolder, name: string, mode: number | undefined): Promise<FolderHandle> {
  const folder = path.join(parent.path, name);
  await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error; // another process created it, or a link leads nowhere
  });
  return openFolder(folder);
}

function realPathOf(handle: FileHandle): string {
  return readlinkSync(DESCRIPTORS! + handle.fd);
}

async function realPathIfSame(file: string, handle: FileHandle): Promise<string | undefined> {
  const real = await realpath(file);
  const [there, stats]: Stats[] = [await lstat(real), await handle.stat()];
  return there!.ino === stats!.ino && there!.dev === stats!.dev ? real : undefined;
}

function folderInside(root: string, folder: string): string {
  const resolved = path.resolve(root, folder);
  if (!isBelow(path.resolve(root), resolved)) throw leadsOut(root, folder);
  return resolved;
}

function leadsOut(root: string, file: string): OutsideFolderError {
  return new OutsideFolderError(
    `${nameInside(root, file)} leads out of the folder through a link, or nowhere: nothing is written there`,
  );
}

/** Describes the problem of an existing folder, as far as its error shows it. */
function explain(root: string, folder: string, error: NodeJS.ErrnoException): Error {
  // A folder that was just created exists: only a link leads nowhere.
  if (error.code === "ELOOP" || error.code === "ENOENT") return leadsOut(root, folder);
  if (error.code === "ENOTDIR") return new OutsideFolderError(`${nameInside(root, folder)} is not a folder`);
  return error;
}

/** An error of the file system with the path of the folder in it, and not that of its descriptor. */
function withName(error: unknown, descriptor: string, folder: string): unknown {
  if (!(error instanceof Error) || DESCRIPTORS === undefined) return error;
  const named = (text: string | undefined) => text?.replaceAll(`${descriptor}/`, `${folder}/`);
  const { message, path: file } = error as NodeJS.ErrnoException;
  return Object.assign(error, { message: named(message) }, file === undefined ? {} : { path: named(file) });
}
