import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type Context, Hono } from "hono";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { FOLDER, TEXT } from "../../domain/options/option-kinds.js";
import { packagedPage } from "./packaged-page.js";
import { pageHeaders } from "./page-policy.js";

export interface InspectorUiOptions {
  /** Where the API is: a path on the same origin, or an absolute URL. Default is `/__inspector`. */
  readonly apiUrl?: string;
  /**
   * The folder that holds the page's files: a copy of `dist/ui` of this package, for a deployment without the package itself. Default is where
   * the package is installed (`docs/bundling.md`).
   */
  readonly assets?: string | undefined;
}

const UI_OPTIONS = { apiUrl: TEXT, assets: FOLDER } satisfies OptionTable<InspectorUiOptions>;

const PAGE = "index.html";

const NO_FILES =
  "The files of the inspector's page were not found. Where an application is bundled, or runs without all files of its packages, copy the " +
  "folder dist/ui of agent-inspector beside it and name that folder: createInspectorUi({ assets }). How, for each tool, is in " +
  "node_modules/agent-inspector/docs/bundling.md.";

/** In a path as it was sent. No file and no mount has one in its name. */
const CONTROL_CHARACTER = /%(?:[01][0-9a-f]|7f)/i;

/**
 * The web UI as an app of its own, to be mounted under any path. It serves files and nothing else: the page finds the API
 * itself.
 *
 * @throws TypeError for an option that there is not, or whose value is of another kind
 *
 * @example
 * app.route("/inspect", createInspectorUi());
 */
export function createInspectorUi(options: InspectorUiOptions = {}): Hono {
  checkOptions(UI_OPTIONS, options);
  const { apiUrl = "/__inspector", assets: folder } = options;
  const headers = pageHeaders(originOf(apiUrl));
  const assets = new UiAssets(folder);
  const app = new Hono();

  app.use("*", async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  });
  app.on(["GET", "HEAD"], "*", async (c) => {
    // As it was sent: what is decoded here could be a line end, or another address, where it is sent back.
    const { pathname, search } = new URL(c.req.url);
    if (CONTROL_CHARACTER.test(pathname)) return noSuchFile(c);
    const asset = /\/(assets\/[\w.-]+)$/.exec(pathname)?.[1];
    if (asset !== undefined) return answerAsset(c, await assets.find(asset));
    // Relative addresses start at the last slash, so the page's own must end with one. The dot keeps a name with a colon in
    // it from being read as a scheme.
    if (!pathname.endsWith("/")) {
      return c.redirect(`./${pathname.slice(pathname.lastIndexOf("/") + 1)}/${search}`, 302);
    }
    const page = await assets.find(PAGE);
    if (page === undefined) return c.text(NO_FILES, 500, { "Cache-Control": "no-store" });
    c.header("Cache-Control", "no-store");
    const html = new TextDecoder().decode(await page.body());
    readAhead(assets, html);
    return c.html(withApi(html, apiUrl));
  });
  app.all("*", (c) => c.text("Only GET and HEAD.", 405, { Allow: "GET, HEAD" }));
  return app;
}

/** Reads what the page will ask for next: it takes a moment to ask. */
function readAhead(assets: UiAssets, html: string): void {
  for (const [name] of html.matchAll(/assets\/[\w.-]+/g)) {
    assets
      .find(name)
      .then((asset) => (asset?.gzipped ?? asset?.body)?.())
      .catch(() => undefined); // the request for it reports the error
  }
}

async function answerAsset(c: Context, asset: UiAsset | undefined): Promise<Response> {
  if (asset === undefined) return noSuchFile(c);
  // The names of assets hold a hash of what is in them.
  c.header("Cache-Control", "public, max-age=31536000, immutable");
  c.header("Content-Type", asset.type);
  c.header("Vary", "Accept-Encoding");
  const takesGzip = /\bgzip\b/.test(c.req.header("Accept-Encoding") ?? "");
  if (!takesGzip || asset.gzipped === undefined) return c.body(await asset.body());
  c.header("Content-Encoding", "gzip");
  return c.body(await asset.gzipped());
}

function noSuchFile(c: Context): Response {
  return c.text("There is no such file.", 404, { "Cache-Control": "no-store" });
}

function withApi(page: string, apiUrl: string): string {
  const escaped = apiUrl.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return page.replace(/(<meta name="inspector-api" content=")[^"]*/, (_, start: string) => start + escaped);
}

function originOf(apiUrl: string): string | undefined {
  return /^https?:\/\//.test(apiUrl) ? new URL(apiUrl).origin : undefined;
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

interface UiAsset {
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
class UiAssets {
  readonly #given: string | undefined;
  #folder = "";
  #names: Promise<ReadonlySet<string>> | undefined;
  readonly #read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** @param folder default is where the package has them */
  constructor(folder: string | undefined) {
    this.#given = folder;
  }

  /** `undefined` for what is no file of the page, and for all of them where the folder is none. */
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
      if (isMissing(error)) return new Set();
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
