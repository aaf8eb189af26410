import { STATUS_CODES } from "node:http";
import { Hono } from "hono";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { isTextsByName, kindOf } from "../../domain/options/option-kinds.js";
import { isPlainRequest } from "../http/literal-path.js";
import { type AgentAddress, parseAgentAddress } from "./agent-address.js";
import { createInspectorUi, type InspectorUiOptions, UI_OPTIONS } from "./inspector-ui.js";
import { API_HEADERS } from "./page-policy.js";

const API_PATH = "/__inspector";

const REQUEST_HEADERS = ["accept", "authorization", "if-none-match"];
/** The others belong to one hop. */
const RESPONSE_HEADERS = [
  "content-type",
  "content-disposition",
  "redacted-values",
  "cache-control",
  "etag",
  "allow",
  "vary",
  "retry-after",
  "www-authenticate",
];

/** Content types of the API, besides downloads. Any other type could be active on the page's origin. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const SAVED = /^attachment\s*(;|$)/i;

export interface RemoteInspectorUiOptions extends Pick<InspectorUiOptions, "assets" | "views"> {
  /**
   * Headers for every request to the agent application, such as `Authorization`. They have precedence over the browser's, and over
   * credentials in the URL.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

const REMOTE_UI_OPTIONS = {
  headers: kindOf("an object of texts by name", isTextsByName),
  assets: UI_OPTIONS.assets,
  views: UI_OPTIONS.views,
} satisfies OptionTable<RemoteInspectorUiOptions>;

/**
 * Serves only the UI, and forwards read requests to the API of an agent application elsewhere, so that the browser uses one origin.
 * Authorization uses the credentials from the URL or `headers`; without them, the browser's own are forwarded.
 * @param agentUrl the base URL of the application that hosts the inspector, without `/__inspector`; it may hold credentials
 * @throws TypeError if it is not an http or https URL, if a header cannot be sent, or if an option does not exist; the message holds no
 *   secret
 * @example
 * const ui = createRemoteInspectorUi("http://localhost:3000", { headers: { Authorization: `Bearer ${token}` } });
 * serve({ fetch: ui.fetch, port: 4000 });
 */
export function createRemoteInspectorUi(agentUrl: string, options: RemoteInspectorUiOptions = {}): Hono {
  const { headers = {}, assets, views } = checkOptions(REMOTE_UI_OPTIONS, options);
  const app = new Hono();
  app.route(API_PATH, agentProxy(parseAgentAddress(agentUrl, Object.entries(headers))));
  app.route("/", createInspectorUi({ assets, views }));
  return app;
}

function agentProxy({ base, headers: configured }: AgentAddress): Hono {
  const app = new Hono();
  app.on(["GET", "HEAD"], "*", async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const path = isPlainRequest(c) ? inspectorPath(pathname) : undefined;
    if (path === undefined) return problem(404, "There is nothing of the inspector at this path.");
    const headers = new Headers(configured);
    for (const name of REQUEST_HEADERS) {
      const value = c.req.header(name);
      if (value !== undefined && !headers.has(name)) headers.set(name, value);
    }
    let answer: Response;
    try {
      answer = await fetch(`${base}${path}${search}`, {
        method: c.req.method,
        headers,
        redirect: "manual",
        signal: c.req.raw.signal,
      });
    } catch {
      // The answer hides the cause.
      return problem(502, `The agent application at ${base} does not answer.`);
    }
    return passOn(answer, configured.has("authorization"));
  });
  app.all("*", (c) => c.text("Only GET and HEAD.", 405, { Allow: "GET, HEAD" }));
  return app;
}

/** Decodings in the search for an escape: the application and proxies may decode a path, too. */
const MAX_DECODED = 8;

/**
 * Path from `/__inspector` on, as sent; `undefined` if it is another path, or could become one on its way. No ID has two dots in a row,
 * so a valid path has none in any decoding.
 */
function inspectorPath(pathname: string): string | undefined {
  const at = pathname.indexOf(API_PATH);
  if (at === -1) return undefined;
  const path = pathname.slice(at);
  let text: string;
  try {
    text = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  if (/\p{Cc}/u.test(text)) return undefined;
  for (let i = 0; i < MAX_DECODED; i++) {
    if (text.includes("..")) return undefined;
    const decoded = text.replace(/%([2-7][0-9a-f])/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) return path;
    text = decoded;
  }
  return undefined;
}

/** Passes JSON, downloads and 304; any other answer becomes a problem of the same meaning. */
function passOn(answer: Response, isAuthorized: boolean): Response {
  const { status } = answer;
  const headers = new Headers(API_HEADERS);
  for (const name of RESPONSE_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  // The browser would prompt for credentials that are not sent.
  if (isAuthorized) headers.delete("www-authenticate");
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  const isOfApi =
    JSON_TYPE.test(headers.get("content-type") ?? "") || SAVED.test(headers.get("content-disposition") ?? "");
  if (!isRedirect && (status === 304 || isOfApi)) {
    return new Response(answer.body, { status, headers });
  }
  answer.body?.cancel().catch(() => undefined); // A cancelled body needs no error.
  headers.delete("etag");
  if (status >= 400) return problem(status, refusalOf(status, isAuthorized), headers);
  const what = isRedirect ? "redirects" : "answers with something else than JSON";
  return problem(
    502,
    `The agent application ${what}. Is the inspector mounted there, and does it take the credentials that are sent?`,
    headers,
  );
}

function refusalOf(status: number, isAuthorized: boolean): string {
  if (status !== 401 && status !== 403) return `The agent application answers with status ${status}.`;
  return isAuthorized
    ? `The agent application refuses the configured credentials (status ${status}). Configure others.`
    : `The agent application asks for authorization (status ${status}). Configure its headers: \`agent-inspector ui --header\`.`;
}

function problem(status: number, detail: string, headers = new Headers(API_HEADERS)): Response {
  headers.set("Content-Type", "application/problem+json; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  return new Response(JSON.stringify({ type: "about:blank", title: STATUS_CODES[status], status, detail }), {
    status,
    headers,
  });
}
