import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { packagedPage } from "./packaged-page.js";

export interface UiAsset {
  readonly type: string;
  readonly body: () => Promise<Uint8Array<ArrayBuffer>>;
  /** As the build compressed it; absent where that gained nothing. */
  readonly gzipped: (() => Promise<Uint8Array<ArrayBuffer>>) | undefined;
}

const TYPES: { readonly [extension: string]: string } = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

/** Suffix that the build adds to the name of a compressed file. */
const GZIPPED = ".gz";

/** The files of the built page, each read once. A request names an entry of the list that was read first, never a path. */
export class UiAssets {
  readonly #given: string | undefined;
  #folder = "";
  #names: Promise<ReadonlySet<string>> | undefined;
  readonly #read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** @param folder default is where the package has them */
  constructor(folder: string | undefined) {
    this.#given = folder;
  }

  /** Returns `undefined` if the name is not a file of the page, and for every name if the folder is invalid. */
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
      const folder = this.#given ?? packagedPage();
      if (folder === undefined) return new Set();
      this.#folder = resolve(folder);
      const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return new Set(files.map((entry) => relative(this.#folder, join(entry.parentPath, entry.name))));
    } catch (error) {
      this.#names = undefined; // it may be there the next time
      if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return new Set();
      throw error;
    }
  }

  #readOnce(file: string): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#read.get(file);
    if (known !== undefined) return known;
    const read = readFile(join(this.#folder, file)).then((bytes) => new Uint8Array(bytes));
    read.catch(() => this.#read.delete(file));
    this.#read.set(file, read);
    return read;
  }
}
