import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { packagedPage } from "./packaged-page.js";

export interface UiAsset {
  readonly type: string;
  readonly body: () => Promise<Uint8Array<ArrayBuffer>>;
  /** Absent if compression gained nothing. */
  readonly gzipped: (() => Promise<Uint8Array<ArrayBuffer>>) | undefined;
}

const TYPES: { readonly [extension: string]: string } = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

const GZIPPED = ".gz";

/** Reads each file of the built page once. A request names an entry of the initial list, never a path. */
export class UiAssets {
  readonly #chosenFolder: string | undefined;
  #folder = "";
  #names: Promise<ReadonlySet<string>> | undefined;
  readonly #read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(folder: string | undefined) {
    this.#chosenFolder = folder;
  }

  async find(name: string): Promise<UiAsset | undefined> {
    this.#names ??= this.#list();
    const names = await this.#names;
    if (!names.has(name) || name.endsWith(GZIPPED)) return undefined;
    return {
      type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      body: () => this.#readOnce(name),
      gzipped: names.has(name + GZIPPED) ? () => this.#readOnce(name + GZIPPED) : undefined,
    };
  }

  async #list(): Promise<ReadonlySet<string>> {
    try {
      const folder = this.#chosenFolder ?? packagedPage();
      if (folder === undefined) return new Set();
      this.#folder = resolve(folder);
      const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return new Set(files.map((entry) => relative(this.#folder, join(entry.parentPath, entry.name))));
    } catch (error) {
      this.#names = undefined; // It may exist the next time.
      if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return new Set();
      throw error;
    }
  }

  #readOnce(file: string): Promise<Uint8Array<ArrayBuffer>> {
    const cached = this.#read.get(file);
    if (cached !== undefined) return cached;
    const read = readFile(join(this.#folder, file)).then((bytes) => new Uint8Array(bytes));
    read.catch(() => this.#read.delete(file));
    this.#read.set(file, read);
    return read;
  }
}
