import { type Context, Hono } from "hono";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { FOLDER, TEXT } from "../../domain/options/option-kinds.js";
import { displayTarget, pathOf, requestTarget, spellsRoute } from "../http/literal-path.js";
import { type InspectorUiView, VIEWS } from "./inspector-ui-view.js";
import { pageHeaders } from "./page-policy.js";
import type { UiAsset, UiAssets } from "./ui-assets.js";

export interface InspectorUiOptions {
  /**
   * Address of the API: relative to the page (`./api`), a path (`/__inspector`), or an absolute URL. Default is `/__inspector` of the
   * surrounding application. The page gets a relative address, so that a proxy may put a prefix before both.
   */
  readonly apiUrl?: string;
  /**
   * Folder with the page's files: a copy of this package's `dist/ui`, for a deployment without the package. A relative path starts at the
   * working directory. Default is the installed package (`docs/bundling.md`).
   */
  readonly assets?: string | undefined;
  /** Views of the session list besides those that the user saves. None by default. */
  readonly views?: readonly InspectorUiView[] | undefined;
}

export const UI_OPTIONS = {
  apiUrl: TEXT,
  assets: FOLDER,
  views: VIEWS,
} satisfies OptionTable<InspectorUiOptions>;

const PAGE = "index.html";

const NO_FILES =
  "The files of the inspector's page were not found. Where an application is bundled, or runs without all files of its packages, copy the " +
  "folder dist/ui of agent-inspector beside it and name that folder: createInspectorUi({ assets }). How, for each tool, is in " +
  "node_modules/agent-inspector/docs/bundling.md.";

const GZIP_ACCEPTED = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** In an encoded path. No file and no mount has one in its name. */
const CONTROL_CHARACTER = /%(?:[01][0-9a-f]|7f)/i;

/**
 * The web UI as a separate app under any path: the page, and its files below. It serves only files: the page requests the API itself.
 * @throws TypeError if an option does not exist, or its value has the wrong type
 * @example
 * app.route("/inspect", createInspectorUi());
 */
export function createInspectorUi(options: InspectorUiOptions = {}): Hono {
  const { apiUrl, assets: folder, views = [] } = checkOptions(UI_OPTIONS, options);
  const viewsText = JSON.stringify(views);
  const headers = pageHeaders(apiUrl === undefined ? undefined : originOf(apiUrl));
  let opened: Promise<UiAssets> | undefined;
  const assetsOf = () => {
    // Loaded on the first request, so that an application does not load Node.js modules for a page.
    opened ??= import("./ui-assets.js").then((module) => new module.UiAssets(folder));
    return opened;
  };
  const app = new Hono();

  app.use("*", async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  });
  app.get("/assets/:name", async (c) => {
    if (!spellsRoute(c)) return noSuchFile(c);
    return answerAsset(c, await (await assetsOf()).find(`assets/${c.req.param("name")}`));
  });
  app.get("*", async (c) => {
    if (!spellsRoute(c) || !isMount(c)) return noSuchFile(c);
    // Encoded: a decoded character in the redirect could be a line end, or another address.
    const target = displayTarget(c);
    const path = pathOf(target);
    if (CONTROL_CHARACTER.test(path)) return noSuchFile(c);
    // The page's relative addresses need a trailing slash. The dot prevents a name with a colon from being a scheme.
    if (!path.endsWith("/")) {
      return c.redirect(`./${path.slice(path.lastIndexOf("/") + 1)}/${target.slice(path.length)}`, 302);
    }
    const assets = await assetsOf();
    const page = await assets.find(PAGE);
    if (page === undefined) return c.text(NO_FILES, 500, { "Cache-Control": "no-store" });
    c.header("Cache-Control", "no-store");
    const html = new TextDecoder().decode(await page.body());
    readAhead(assets, html, mayCompress(c));
    const withViews = withMeta(html, "inspector-views", viewsText);
    return c.html(withMeta(withViews, "inspector-api", apiUrl ?? apiOfApp(c)));
  });
  app.all("*", (c) => c.text("Only GET and HEAD.", 405, { Allow: "GET, HEAD" }));
  return app;
}

function isMount(c: Context): boolean {
  const mount = c.req.routePath.replace(/\/\*$/, "");
  return c.req.path.replace(/\/$/, "").split("/").length === mount.split("/").length;
}

/** Key for the path pattern of an application with the API at `/__inspector`. */
export const APP_PATTERN = "agent-inspector:app";

/**
 * `/__inspector` relative to the page: one folder up per level. The page may be in a nested application, which no request reveals: then
 * all folders on the way up, nearest first, separated by spaces. The page uses the first that answers.
 */
function apiOfApp(c: Context): string {
  const app: string | undefined = c.get(APP_PATTERN);
  const depth = pathOf(requestTarget(c)).split("/").length - (app ?? "/*").split("/").length;
  const up = (folders: number) => `${"../".repeat(folders) || "./"}__inspector`;
  if (app !== undefined || depth < 2) return up(depth);
  return Array.from({ length: depth }, (_, i) => up(i + 1)).join(" ");
}

function readAhead(assets: UiAssets, html: string, isCompressed: boolean): void {
  for (const [name] of html.matchAll(/assets\/[\w.-]+/g)) {
    assets
      .find(name)
      .then((asset) => ((isCompressed ? asset?.gzipped : undefined) ?? asset?.body)?.())
      .catch(() => undefined); // The request for it reports the error.
  }
}

async function answerAsset(c: Context, asset: UiAsset | undefined): Promise<Response> {
  if (asset === undefined) return noSuchFile(c);
  // The name contains a hash of the content.
  c.header("Cache-Control", "public, max-age=31536000, immutable");
  c.header("Content-Type", asset.type);
  if (!mayCompress(c)) return c.body(await asset.body());
  c.header("Vary", "Accept-Encoding");
  const takesGzip = GZIP_ACCEPTED.test(c.req.header("Accept-Encoding") ?? "");
  if (!takesGzip || asset.gzipped === undefined) return c.body(await asset.body());
  c.header("Content-Encoding", "gzip");
  return c.body(await asset.gzipped());
}

/**
 * Only if `@hono/node-server` writes to the socket. Other hosts of the Fetch API get plain bytes: Next.js drops `Content-Encoding` and
 * compresses again.
 */
function mayCompress(c: Context): boolean {
  const { outgoing } = Object(c.env) as { readonly outgoing?: { readonly writeHead?: unknown } };
  return typeof outgoing?.writeHead === "function";
}

function noSuchFile(c: Context): Response {
  return c.text("There is no such file.", 404, { "Cache-Control": "no-store" });
}

function withMeta(page: string, name: string, content: string): string {
  const escaped = content.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const tag = new RegExp(`(<meta name="${name}" content=")[^"]*`);
  return page.replace(tag, (_, start: string) => start + escaped);
}

function originOf(apiUrl: string): string | undefined {
  return /^https?:\/\//.test(apiUrl) ? new URL(apiUrl).origin : undefined;
}
