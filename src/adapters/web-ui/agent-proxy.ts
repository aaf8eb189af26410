import { Hono } from "hono";
import { createInspectorUi } from "./inspector-ui.js";

const API_PATH = "/__inspector";

/** The request headers that are passed on to the agent application. */
const REQUEST_HEADERS = ["accept", "if-none-match"];
/** The response headers that are passed on to the page; the rest is between two hops. */
const RESPONSE_HEADERS = ["content-type", "cache-control", "etag", "allow", "x-content-type-options"];

/**
 * The UI alone, with the API of an agent application that runs elsewhere behind it: one origin for the browser, and nothing
 * but reading gets through.
 *
 * @param agentUrl the base URL of the application that hosts the inspector, without `/__inspector`
 * @throws TypeError where it is no http or https URL
 * @example
 * serve({ fetch: createRemoteInspectorUi("http://localhost:3000").fetch, port: 4000 });
 */
export function createRemoteInspectorUi(agentUrl: string): Hono {
  const app = new Hono();
  app.route(API_PATH, createAgentProxy(agentUrl));
  app.route("/", createInspectorUi({ apiUrl: API_PATH }));
  return app;
}

/** Passes `GET` and `HEAD` on to the inspector of an agent application, and streams what it answers. */
export function createAgentProxy(agentUrl: string): Hono {
  const base = parseAgentUrl(agentUrl);
  const app = new Hono();
  app.on(["GET", "HEAD"], "*", async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const path = pathname.slice(pathname.indexOf(API_PATH));
    const headers = new Headers();
    for (const name of REQUEST_HEADERS) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
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
      // Whatever kept it from answering, the answer is the same: it cannot be reached.
      return unreachable(base);
    }
    const passed = new Headers();
    for (const name of RESPONSE_HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) passed.set(name, value);
    }
    return new Response(answer.body, { status: answer.status, headers: passed });
  });
  app.all("*", (c) => c.text("Only GET and HEAD.", 405, { Allow: "GET, HEAD" }));
  return app;
}

/** @throws TypeError */
export function parseAgentUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError(`"${text}" is no http or https URL; give the base URL of the agent application.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function unreachable(base: string): Response {
  const problem = {
    type: "about:blank",
    title: "Bad Gateway",
    status: 502,
    detail: `The agent application at ${base} does not answer.`,
  };
  return new Response(JSON.stringify(problem), {
    status: 502,
    headers: { "Content-Type": "application/problem+json; charset=utf-8", "Cache-Control": "no-store" },
  });
}
