import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface UiAsset {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** As the build compressed it; absent where that gained nothing. */
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined;
}

const TYPES: { readonly [extension: string]: string } = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** What the build adds to the name of a file for its compressed form. */
const GZIPPED = ".gz";

/**
 * The files of the built page, each read once. Only what the folder held when it was first listed is ever served: a request
 * names an entry of a list, never a path.
 */
export class UiAssets {
  readonly #folder: string;
  #names: Promise<ReadonlySet<string>> | undefined;
  readonly #read = new Map<string, Promise<UiAsset>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws where the page has not been built */
  async find(name: string): Promise<UiAsset | undefined> {
    this.#names ??= this.#list();
    if (!(await this.#names).has(name) || name.endsWith(GZIPPED)) return undefined;
    let asset = this.#read.get(name);
    if (asset === undefined) {
      asset = this.#load(name);
      this.#read.set(name, asset);
    }
    return asset;
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

  async #load(name: string): Promise<UiAsset> {
    const read = async (file: string) => Uint8Array.from(await readFile(join(this.#folder, file)));
    const isCompressed = (await this.#names)?.has(name + GZIPPED) === true;
    return {
      type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      body: await read(name),
      gzipped: isCompressed ? await read(name + GZIPPED) : undefined,
    };
  }
}
