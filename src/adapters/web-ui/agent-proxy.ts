import { STATUS_CODES } from "node:http";
import { Hono } from "hono";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { isTextsByName, kindOf } from "../../domain/options/option-kinds.js";
import { isPlainRequest } from "../http/literal-path.js";
import { type AgentAddress, parseAgentAddress } from "./agent-address.js";
import { createInspectorUi, type InspectorUiOptions, UI_OPTIONS } from "./inspector-ui.js";
import { API_HEADERS } from "./page-policy.js";

const API_PATH = "/__inspector";

/** The request headers that are passed on to the agent application. */
const REQUEST_HEADERS = ["accept", "authorization", "if-none-match"];
/** The response headers that are passed on to the page; the rest is between two hops. */
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

/** Content types of the API's answers, except files that are saved. Any other type could be active on the page's origin. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const SAVED = /^attachment\s*(;|$)/i;

export interface RemoteInspectorUiOptions extends Pick<InspectorUiOptions, "assets" | "views"> {
  /**
   * Headers for every request to the agent application, such as `Authorization`. They take the place of the browser's, and of
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
 * Serves only the UI, and forwards to the API of an agent application that runs elsewhere. The browser uses one origin, and only read
 * requests to the inspector are forwarded.
 *
 * An application that requires authorization gets the credentials configured here, in the URL or as a header. Without them, the browser
 * prompts its user, and the user's credentials are forwarded.
 *
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

/** Passes `GET` and `HEAD` on to the inspector of an agent application, and streams what it answers. */
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
      // The answer is the same for every cause of the failure: the application cannot be reached.
      return problem(502, `The agent application at ${base} does not answer.`);
    }
    return passOn(answer, configured.has("authorization"));
  });
  app.all("*", (c) => c.text("Only GET and HEAD.", 405, { Allow: "GET, HEAD" }));
  return app;
}

/** Maximum number of times a path is decoded to check for an escape: the application and proxies in front of it may decode it, too. */
const MAX_DECODED = 8;

/**
 * The path from `/__inspector` on, as it was sent; `undefined` where it is another one, or could become another one on its way.
 * No id has two dots in a row, so no path of the inspector has them however often it is decoded.
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

/** The answer of the application where it is JSON or a file to save, or says that nothing has changed; else a problem of the same meaning. */
function passOn(answer: Response, isAuthorized: boolean): Response {
  const { status } = answer;
  const headers = new Headers(API_HEADERS);
  for (const name of RESPONSE_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  // A browser would ask its user for what is not sent anyway.
  if (isAuthorized) headers.delete("www-authenticate");
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  const isOfApi =
    JSON_TYPE.test(headers.get("content-type") ?? "") || SAVED.test(headers.get("content-disposition") ?? "");
  if (!isRedirect && (status === 304 || isOfApi)) {
    return new Response(answer.body, { status, headers });
  }
  answer.body?.cancel().catch(() => undefined); // nothing is lost with what nobody reads
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
