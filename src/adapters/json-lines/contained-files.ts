import { constants, type Stats } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import { type FileIdentity, identify } from "./file-identity.js";

/** A file that was opened, as it was then. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
}

/**
 * The files below one folder. Nothing outside it is ever opened: a link may lead elsewhere inside, but not out. What is
 * not there, or is no file, is `undefined`.
 */
export class ContainedFiles {
  readonly root: string;
  #realRoot: string | undefined;
  /** Real places that were found inside, by device and inode: the same inode need not be looked up again. */
  readonly #inside = new Map<string, string>();

  constructor(root: string) {
    this.root = path.resolve(root);
  }

  /** A path inside, for warnings and errors: relative, with `/`. */
  nameOf(file: string): string {
    return path.relative(this.root, file).split(path.sep).join("/");
  }

  /** The folder's real path, links resolved; `undefined` where it is not there. */
  async realRoot(): Promise<string | undefined> {
    this.#realRoot ??= await absentAsUndefined(realpath(this.root), () => ".");
    return this.#realRoot;
  }

  /** What lies at the path, links followed; `undefined` where nothing does, or where it lies outside. */
  async find(file: string): Promise<Stats | undefined> {
    const stats = await absentAsUndefined(stat(file), () => this.nameOf(file));
    if (stats === undefined || !(await this.isInside(file, identify(stats)))) return undefined;
    return stats;
  }

  /** Opens a regular file for reading; the caller closes it. */
  async open(file: string): Promise<OpenFile | undefined> {
    const nameOf = () => this.nameOf(file);
    const handle = await absentAsUndefined(open(file, constants.O_RDONLY | constants.O_NONBLOCK), nameOf);
    if (handle === undefined) return undefined;
    const stats = await handle.stat();
    const identity = identify(stats);
    if (stats.isFile() && (await this.isInside(file, identity))) return { handle, identity };
    await handle.close();
    return undefined;
  }

  /** Whether what lies at the path lies inside, links resolved. */
  async isInside(file: string, { device, inode }: FileIdentity): Promise<boolean> {
    const key = `${device}:${inode}`;
    if (this.#inside.get(key) === file) return true;
    const root = await this.realRoot();
    const real = await absentAsUndefined(realpath(file), () => this.nameOf(file));
    if (root === undefined || real === undefined) return false;
    const isInside = real === root || real.startsWith(root + path.sep);
    if (isInside) this.#remember(key, file);
    return isInside;
  }

  #remember(inode: string, file: string): void {
    if (this.#inside.size >= REMEMBERED) this.#inside.clear();
    this.#inside.set(inode, file);
  }
}

/** How many places are remembered before the memory starts anew: a few megabytes. */
const REMEMBERED = 50_000;

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EMFILE: "too many open files",
  ENFILE: "too many open files",
  EIO: "the disk reports an error",
};

/**
 * What a call of the file system gives; `undefined` where there is nothing. What it cannot read becomes an error that
 * names the file as the reader knows it, not as the machine does.
 */
export async function absentAsUndefined<T>(call: Promise<T>, name: () => string): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (ABSENT.has(code)) return undefined;
    throw new SourceUnavailableError(
      `${name()} cannot be read: ${PROBLEMS[code] ?? "the file system failed"}.`,
      {
        cause: error,
      },
    );
  }
}

/** What a reading gives; `undefined` where the file system refuses it, or where what is read is being replaced. */
export async function unreadableAsUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SourceUnavailableError || error instanceof SourceChangedError) return undefined;
    throw error;
  }
}
