import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Beside the compiled service; from the sources, where the build puts it. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../../dist/ui" : "../../../ui", import.meta.url),
);

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
};

/** What the build adds to the name of a file for its compressed form. */
const GZIPPED = ".gz";

/** The files of the built page, each read once. A request names an entry of the list that was read first, never a path. */
export class UiAssets {
  readonly #folder = BUILT;
  #names: Promise<ReadonlySet<string>> | undefined;
  readonly #read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** @throws where the page has not been built */
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
      const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return new Set(files.map((entry) => join(entry.parentPath, entry.name).slice(this.#folder.length + 1)));
    } catch (cause) {
      this.#names = undefined;
      throw new Error("The web UI is not built: run `npm run build -w ui`.", { cause });
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
