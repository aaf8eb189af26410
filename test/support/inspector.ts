import { Hono } from "hono";
import { createInspectorContainer, createInspectorRoute, InProcessPool } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { type ConformanceOptions, expectConforms, expectHeadConforms } from "./openapi.js";

/** A suite's tests must pass at each of these mounts. */
export const MOUNTS = [
  ["the root", ""],
  ["a prefix", "/__inspector"],
] as const;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, byte for byte. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type AskOptions = RequestInit & Pick<ConformanceOptions, "incompleteEnvelopes">;

/** Calls an inspector without a server, and checks every answer against the document. */
export interface Inspector {
  /** `path` is below the mount. Default method is GET. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Only status and headers are read. */
  open(path: string, init?: RequestInit): Promise<Response>;
  readonly failures: unknown[];
}

export function inspect(source: InspectorDataSource, prefix: string = ""): Inspector {
  const failures: unknown[] = [];
  // Threads have other tests, and start slowly from source.
  const container = createInspectorContainer(source, { pool: new InProcessPool() });
  const route = createInspectorRoute(container, { onError: (error) => failures.push(error) });
  const app = prefix === "" ? route : new Hono().get("/", (c) => c.text("the host")).route(prefix, route);
  const request = (path: string, init?: RequestInit) =>
    Promise.resolve(app.request(`http://localhost${prefix}${path}`, init));
  return {
    failures,
    async ask(path, { incompleteEnvelopes, ...init } = {}) {
      const response = await request(path, init);
      const text = await expectConforms(response, path, { method: init.method, incompleteEnvelopes });
      const body = (text === "" ? {} : JSON.parse(text)) as Answer["body"];
      return { status: response.status, headers: response.headers, text, body };
    },
    async open(path, init) {
      const response = await request(path, init);
      expectHeadConforms(response, path, init?.method);
      return response;
    },
  };
}

export async function askAllPages(
  inspector: Inspector,
  path: string,
  member: string,
  limit: number,
  afterPage: (page: number) => unknown = () => undefined,
): Promise<unknown[]> {
  const elements: unknown[] = [];
  let cursor = "";
  for (let page = 0; page < 1_000; page++) {
    const separator = path.includes("?") ? "&" : "?";
    const { status, body } = await inspector.ask(`${path}${separator}limit=${limit}${cursor}`);
    const list = body[member] as unknown[];
    if (status !== 200 || list.length > limit) throw new Error(`Page ${page} is ${JSON.stringify(body)}`);
    elements.push(...list);
    if (body.nextCursor === null) return elements;
    if (list.length === 0) throw new Error(`Page ${page} is empty and not the last`);
    cursor = `&cursor=${encodeURIComponent(String(body.nextCursor))}`;
    await afterPage(page);
  }
  throw new Error("There is no last page");
}
