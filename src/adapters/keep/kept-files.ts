import { mkdir, open, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import { isJsonObject, jsonIn } from "../../domain/json/json.js";
import { isBelow, nameInside } from "../files/bytes/contained-files.js";

/** What is known of the copy of a file. */
export interface KeptFile {
  /** Its path from the folder on, with `/`. */
  readonly file: string;
  readonly bytes: number;
  /** Of the bytes of the copy. */
  readonly sha256: string;
  /** What the file was when it was copied: it may have been longer, by a line that had no end yet. */
  readonly source: FileStamp;
  /** What a packed file held: the names of its sessions. */
  readonly members?: readonly string[] | undefined;
}

/** By which a file is taken to be the same. */
export interface FileStamp {
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** The folder for what is no history: hidden, so that nothing in it is taken for one. */
export const HIDDEN = ".kept";

/**
 * Which files were copied of one folder, in a file of a line each. A line is added when the copy is in its place, so that a copying that was
 * stopped goes on behind the last one; what it was about to write lies under another name.
 */
export class KeptFiles {
  readonly #manifest: string;
  readonly #files: Map<string, KeptFile>;

  private constructor(manifest: string, files: Map<string, KeptFile>) {
    this.#manifest = manifest;
    this.#files = files;
  }

  static async read(to: string, name: string): Promise<KeptFiles> {
    const manifest = manifestOf(to, name);
    const files = new Map<string, KeptFile>();
    // The line that a stop cut is none.
    for (const line of await linesOf(manifest)) {
      const kept = jsonIn(line);
      if (isKeptFile(kept)) files.set(kept.file, kept);
      else if (isJsonObject(kept) && typeof kept.forgotten === "string") files.delete(kept.forgotten);
    }
    return new KeptFiles(manifest, files);
  }

  get(file: string): KeptFile | undefined {
    return this.#files.get(file);
  }

  all(): Iterable<KeptFile> {
    return this.#files.values();
  }

  /** Notes a copy that is in its place. */
  async add(kept: KeptFile): Promise<void> {
    await appendLine(this.#manifest, kept);
    this.#files.set(kept.file, kept);
  }

  /** Of a copy that is not there any more. */
  async forget(file: string): Promise<void> {
    await appendLine(this.#manifest, { forgotten: file });
    this.#files.delete(file);
  }
}

function isKeptFile(value: unknown): value is KeptFile {
  return (
    isJsonObject(value) &&
    typeof value.file === "string" &&
    typeof value.bytes === "number" &&
    typeof value.sha256 === "string" &&
    isJsonObject(value.source)
  );
}

const MANIFEST = ".manifest";

const manifestOf = (to: string, name: string) => path.join(to, HIDDEN, name + MANIFEST);

/**
 * The name of a folder's copy below `to`: the same one at each copying. The first folder of a kind is called after it.
 *
 * @param root the real path of the folder
 */
export async function nameOfCopy(to: string, kind: string, root: string): Promise<string> {
  const hidden = path.join(to, HIDDEN);
  await mkdir(hidden, { recursive: true, mode: 0o700 });
  const taken = (await readdir(hidden)).filter((name) => name.endsWith(MANIFEST));
  for (const manifest of taken) {
    const [first = ""] = await linesOf(path.join(hidden, manifest));
    const begun = jsonIn(first);
    const isSame = isJsonObject(begun) && begun.kind === kind && begun.root === root;
    if (isSame) return manifest.slice(0, -MANIFEST.length);
  }
  let name = kind;
  for (let i = 2; taken.includes(name + MANIFEST); i++) name = `${kind}-${i}`;
  await appendLine(manifestOf(to, name), { kind, root });
  return name;
}

async function linesOf(file: string): Promise<string[]> {
  try {
    return (await readFile(file, "utf8")).split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** A line that a stop cut before is ended first. */
async function appendLine(file: string, value: object): Promise<void> {
  const handle = await open(file, "a+", 0o600);
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

/** Moves a copy aside that another one takes the place of. */
export async function putAside(to: string, name: string, kept: KeptFile): Promise<string> {
  const aside = path.join(HIDDEN, "earlier", name, `${kept.file}.${kept.sha256.slice(0, 12)}`);
  await makeFolder(to, path.dirname(path.join(to, aside)));
  await rename(path.join(to, name, kept.file), path.join(to, aside));
  return aside.split(path.sep).join("/");
}

const UNFINISHED = "unfinished";

/** Where a copy is written before it is in its place: by this process alone. */
export async function unfinishedFile(to: string): Promise<string> {
  const folder = path.join(to, HIDDEN, UNFINISHED);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, String(process.pid));
}

/** Removes what copyings left that were stopped. */
export async function removeUnfinished(to: string): Promise<void> {
  const folder = path.join(to, HIDDEN, UNFINISHED);
  await mkdir(folder, { recursive: true, mode: 0o700 });
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

/**
 * Makes a folder below that of the copies.
 *
 * @throws SourceUnavailableError where a link leads out of that: nothing is written elsewhere
 */
export async function makeFolder(to: string, folder: string): Promise<void> {
  if (!isBelow(await realpath(to), await realPlace(folder))) {
    throw new SourceUnavailableError(
      `${nameInside(to, folder)} is a link that leads out of the folder of copies`,
    );
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Where a folder lies, or will lie, with links resolved. */
export async function realPlace(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || path.dirname(folder) === folder) throw error;
    return path.join(await realPlace(path.dirname(folder)), path.basename(folder));
  }
}
