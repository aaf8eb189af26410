import { constants, readlinkSync, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import path from "node:path";
import { DESCRIPTORS, isBelow, nameInside, O_PATH } from "./contained-files.js";

/**
 * Writes below one folder: no link leads out. Linux: changes go through the descriptor of the open folder, so a link that replaces the
 * folder meanwhile has no effect. Elsewhere only the real path is checked before the write.
 */

/** The folder contains a link out of it, or something of the wrong kind. The message names the relative path. */
export class OutsideFolderError extends Error {
  override readonly name = "OutsideFolderError";
}

export interface OpenFolder {
  /** Valid for file system calls while the folder is open. */
  readonly path: string;
}

/**
 * Opens a folder below `root`, uses it, and closes it.
 * @param root may be a link itself
 * @param folder created with its parents if absent, and `root`, too
 * @param mode permissions of created folders. Default is that of the process
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
 * Follows no link.
 * @param flags such as `O_RDWR | O_CREAT`
 * @param mode permissions of a created file
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

export async function isInside(root: string, file: string, handle: FileHandle): Promise<boolean> {
  const real = DESCRIPTORS === undefined ? await realPathIfSame(file, handle) : realPathOf(handle);
  // If the real path begins with the root, the root is not a link.
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
    if (error.code !== "EEXIST") throw error; // Another process created it, or a link leads nowhere.
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

function explain(root: string, folder: string, error: NodeJS.ErrnoException): Error {
  // The folder exists at this point: only a link leads nowhere.
  if (error.code === "ELOOP" || error.code === "ENOENT") return leadsOut(root, folder);
  if (error.code === "ENOTDIR") return new OutsideFolderError(`${nameInside(root, folder)} is not a folder`);
  return error;
}

/** Replaces the path of the descriptor by that of the folder. */
function withName(error: unknown, descriptor: string, folder: string): unknown {
  if (!(error instanceof Error) || DESCRIPTORS === undefined) return error;
  const named = (text: string | undefined) => text?.replaceAll(`${descriptor}/`, `${folder}/`);
  const { message, path: file } = error as NodeJS.ErrnoException;
  return Object.assign(error, { message: named(message) }, file === undefined ? {} : { path: named(file) });
}
