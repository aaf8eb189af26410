import { constants } from "node:fs";
import { readdir, realpath, rename, rm } from "node:fs/promises";
import path from "node:path";
import { isJsonObject, jsonIn } from "../../domain/json/json.js";
import { openHandle } from "../files/bytes/contained-files.js";
import { inFolder, type OpenFolder, openIn } from "../files/bytes/contained-writes.js";

export interface StoredCopy {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** At the time of the copy. The file may have been longer, by an incomplete last line. */
  readonly source: FileStamp;
  readonly members?: readonly string[] | undefined;
}

interface FileStamp {
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** For files that are not histories: readers skip a hidden folder. */
const HIDDEN = ".kept";

/**
 * A line is added after the copy has its final name, so an interrupted run continues after the last line. An unfinished copy has another
 * name.
 */
export class CopiedFiles {
  readonly #to: string;
  readonly #name: string;
  readonly #files: Map<string, StoredCopy>;

  private constructor(to: string, name: string, files: Map<string, StoredCopy>) {
    this.#to = to;
    this.#name = name;
    this.#files = files;
  }

  static async read(to: string, name: string): Promise<CopiedFiles> {
    const files = new Map<string, StoredCopy>();
    for (const line of await linesOf(to, name + MANIFEST)) {
      const entry = jsonIn(line);
      if (isCopiedFile(entry)) files.set(entry.file, entry);
      else if (isJsonObject(entry) && typeof entry.forgotten === "string") files.delete(entry.forgotten);
    }
    return new CopiedFiles(to, name, files);
  }

  get(file: string): StoredCopy | undefined {
    return this.#files.get(file);
  }

  all(): Iterable<StoredCopy> {
    return this.#files.values();
  }

  async add(entry: StoredCopy): Promise<void> {
    await appendLine(this.#to, this.#name, entry);
    this.#files.set(entry.file, entry);
  }

  async forget(file: string): Promise<void> {
    await appendLine(this.#to, this.#name, { forgotten: file });
    this.#files.delete(file);
  }
}

function isCopiedFile(value: unknown): value is StoredCopy {
  return (
    isJsonObject(value) &&
    typeof value.file === "string" &&
    typeof value.bytes === "number" &&
    // It becomes a part of a file's name.
    /^[0-9a-f]{64}$/.test(String(value.sha256)) &&
    isJsonObject(value.source)
  );
}

const MANIFEST = ".manifest";

const FOLDER_MODE = 0o700;

/**
 * The same at each run. The first folder of a kind gets the name of the kind.
 * @param root the real path of the folder
 */
export async function nameOfCopy(to: string, kind: string, root: string): Promise<string> {
  const names = await inFolder(to, HIDDEN, ({ path: hidden }) => readdir(hidden), FOLDER_MODE);
  const taken = names.filter((name) => name.endsWith(MANIFEST));
  for (const manifest of taken) {
    const name = manifest.slice(0, -MANIFEST.length);
    if (name !== kind && !name.startsWith(`${kind}-`)) continue;
    const [first = ""] = await linesOf(to, manifest);
    const begun = jsonIn(first);
    if (isJsonObject(begun) && begun.kind === kind && begun.root === root) return name;
  }
  let name = kind;
  for (let i = 2; taken.includes(name + MANIFEST); i++) name = `${kind}-${i}`;
  await appendLine(to, name, { kind, root });
  return name;
}

async function linesOf(to: string, manifest: string): Promise<string[]> {
  const opened = await openHandle(to, path.join(to, HIDDEN, manifest));
  if (opened === undefined) return [];
  try {
    return (await opened.handle.readFile("utf8")).split("\n");
  } finally {
    await opened.handle.close();
  }
}

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

async function appendLine(to: string, name: string, value: object): Promise<void> {
  const opening = (hidden: OpenFolder) => openIn(hidden, name + MANIFEST, APPEND, 0o600);
  const handle = await inFolder(to, HIDDEN, opening, FOLDER_MODE);
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const start = size > 0 && last[0] !== 0x0a ? "\n" : "";
    await handle.appendFile(`${start}${JSON.stringify(value)}\n`);
  } finally {
    await handle.close();
  }
}

export async function putAside(to: string, name: string, entry: StoredCopy): Promise<string> {
  const aside = path.join(HIDDEN, "earlier", name, `${entry.file}.${entry.sha256.slice(0, 12)}`);
  const copy = path.join(name, entry.file);
  await inFolder(to, path.dirname(copy), (folder) =>
    moveInto(to, path.join(folder.path, path.basename(copy)), aside),
  );
  return aside.split(path.sep).join("/");
}

/** Replaces a link of that name, and does not follow it. */
export async function moveInto(to: string, file: string, name: string): Promise<void> {
  const move = (folder: OpenFolder) => rename(file, path.join(folder.path, path.basename(name)));
  await inFolder(to, path.dirname(name), move, FOLDER_MODE);
}

const UNFINISHED = path.join(HIDDEN, "unfinished");

/** Copies are written here before they get their names. It removes the remains of interrupted runs. */
export function inUnfinishedFolder<T>(to: string, use: (unfinished: OpenFolder) => Promise<T>): Promise<T> {
  const cleaning = async (unfinished: OpenFolder) => {
    await removeUnfinished(unfinished);
    const result = await use(unfinished);
    await removeUnfinished(unfinished);
    return result;
  };
  return inFolder(to, UNFINISHED, cleaning, FOLDER_MODE);
}

async function removeUnfinished({ path: folder }: OpenFolder): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number.parseInt(name, 10);
    if (pid !== process.pid && isRunning(pid)) continue;
    await rm(path.join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export async function realPlace(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || path.dirname(folder) === folder) throw error;
    return path.join(await realPlace(path.dirname(folder)), path.basename(folder));
  }
}
