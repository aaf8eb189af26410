import { onTestFinished, vi } from "vitest";
import { jsonTextOf } from "../../../src/domain/json/json-text-of.js";
import type { TokenRates } from "../../../src/domain/usage/money.js";
import type { SessionListName } from "../../src/engine/trace/trace-protocol.js";

export const BASE = "http://host/__inspector";
export const SESSION = { tenantId: "t", sessionId: "s" };

type Resource = "sessions" | SessionListName;

const MEMBERS: { readonly [resource in Resource]: string } = {
  sessions: "sessions",
  trace: "envelopes",
  messages: "messages",
  orchestration: "agents",
};

/**
 * The API for an engine instead of `fetch`: lists with entity tags, and pages of the session list. Any other request fails the test, also
 * where the engine takes the error for an unavailable service.
 */
export class FakeApi {
  /** After a change, call `change`. */
  readonly records: { readonly [resource in Resource]: object[] } = {
    sessions: [],
    trace: [],
    messages: [],
    orchestration: [],
  };
  /** Default is an empty list. */
  readonly agentMessages = new Map<string, readonly object[]>();
  /** Path and query of each request, from the base on. */
  readonly requests: string[] = [];
  readonly statuses: number[] = [];
  /** Status of a list's answers; 0 is a network error. */
  readonly failures = new Map<Resource, number>();
  readonly untagged = new Set<Resource>();
  /** The answer breaks off in the record after this many. */
  readonly broken = new Map<Resource, number>();
  /** Counts of the next answers to requests for sessions, in order. */
  readonly counts: { readonly total: number; readonly unread: number }[] = [];
  onRequest: (resource: Resource) => void = () => undefined;
  /** May fail with a `Response`. */
  onSearch: ((query: URLSearchParams) => Promise<object>) | undefined;
  onSearchSessions: ((query: URLSearchParams) => Promise<object>) | undefined;
  /** Rates by model; any other model has no price. */
  readonly rates = new Map<string, TokenRates>();
  /** Replaces the next answer to a request with `since`. */
  nextGrowth: { readonly records: readonly object[]; readonly rest: object } | undefined;
  /** Answers `since` with growth; an older service sends the complete list. */
  follows = true;
  readonly #tokens = new Map<string, readonly string[]>();
  readonly #versions = new Map<Resource, number>();
  readonly #held = new Map<Resource, { readonly after: number; readonly released: Promise<void> }>();

  constructor() {
    const unexpected: string[] = [];
    vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
      const url = new URL(address);
      if (url.pathname === "/__inspector/model") {
        const model = url.searchParams.get("model")!;
        return Response.json({ model, rates: this.rates.get(model) });
      }
      this.requests.push(address.slice(BASE.length));
      if (url.pathname === "/__inspector/search" && this.onSearch !== undefined) {
        return this.#search(this.onSearch(url.searchParams), init.signal);
      }
      if (url.pathname === "/__inspector/search/sessions" && this.onSearchSessions !== undefined) {
        return this.#search(this.onSearchSessions(url.searchParams), init.signal);
      }
      const resource = resourceOf(url);
      if (resource !== undefined) {
        const answer = this.#answer(resource, url, init);
        this.statuses.push(answer.status);
        return answer;
      }
      unexpected.push(address);
      throw new Error(`the fake API has no answer for ${address}`);
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
      if (unexpected.length > 0) throw new Error(`unexpected requests: ${unexpected.join(", ")}`);
    });
  }

  /** The list gets another entity tag. */
  change(resource: Resource, ...records: readonly object[]): void {
    this.records[resource].push(...records);
    this.#versions.set(resource, (this.#versions.get(resource) ?? 0) + 1);
  }

  /** Sends the first records. @returns sends the rest */
  hold(resource: Resource, after: number): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held.set(resource, { after, released });
    return release;
  }

  requestsOf(resource: Resource): string[] {
    return this.requests.filter((request) => resourceOf(new URL(BASE + request)) === resource);
  }

  async #search(answer: Promise<object>, signal: AbortSignal | null | undefined): Promise<Response> {
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    const found = await Promise.race([answer, aborted]);
    return found instanceof Response ? found : Response.json(found);
  }

  #answer(resource: Resource, url: URL, { headers, signal }: RequestInit): Response {
    this.onRequest(resource);
    signal?.throwIfAborted();
    const status = this.failures.get(resource);
    if (status === 0) throw new TypeError("fetch failed");
    if (status !== undefined) {
      const problem = { type: "about:blank", title: "T", status, detail: `${resource} has a problem` };
      return Response.json(problem, { status, headers: { "content-type": "application/problem+json" } });
    }
    const etag = `W/"${this.#versions.get(resource) ?? 0}"`;
    if (!this.untagged.has(resource) && new Headers(headers).get("if-none-match") === etag) {
      return new Response(null, { status: 304 });
    }
    const sessionId = url.searchParams.get("sessionId");
    const all = this.records[resource].filter(
      (record) => sessionId === null || (record as { sessionId?: string }).sessionId === sessionId,
    );
    const since = url.searchParams.get("since");
    const agentId = url.searchParams.get("agentId");
    const own = agentId === null ? this.records[resource] : (this.agentMessages.get(agentId) ?? []);
    if (since !== null) return this.#growth(resource, own, since, etag);
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const limit = Number(url.searchParams.get("limit") ?? all.length);
    const rest = from + limit < all.length ? { nextCursor: String(from + limit) } : {};
    const counts = resource === "sessions" ? this.counts.shift() : {};
    const body = this.#stream(resource, all.slice(from, from + limit), { ...rest, ...counts });
    return new Response(body, { headers: this.untagged.has(resource) ? {} : { etag } });
  }

  /** Records after those of the client's token; the complete list without `follows`. */
  #growth(resource: Resource, all: readonly object[], since: string, etag: string): Response {
    const texts = all.map((record) => jsonTextOf(record)!);
    const known = this.#tokens.get(since) ?? [];
    const changed = texts.findIndex((text, i) => text !== known[i]);
    const from = Math.min(changed === -1 ? texts.length : changed, known.length);
    const syncToken = `token${this.#tokens.size}`;
    this.#tokens.set(syncToken, texts);
    const rest = this.follows ? { from, syncToken } : {};
    const next = this.nextGrowth;
    if (next !== undefined) {
      this.nextGrowth = undefined;
      const { records, rest } = next;
      return new Response(this.#stream(resource, records, rest), { headers: { etag } });
    }
    const body = this.#stream(resource, this.follows ? all.slice(from) : all, rest);
    return new Response(body, { headers: this.untagged.has(resource) ? {} : { etag } });
  }

  #stream(resource: Resource, records: readonly object[], rest: object): ReadableStream<Uint8Array> {
    const held = this.#held.get(resource);
    const breaksAfter = this.broken.get(resource);
    const encode = (text: string) => new TextEncoder().encode(text);
    const tail = JSON.stringify(rest).slice(1);
    return new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(encode(`{"${MEMBERS[resource]}":[`));
        for (const [index, record] of records.entries()) {
          if (index === held?.after) await held.released;
          if (index === breaksAfter) {
            controller.enqueue(encode(',{"half of a rec'));
            return controller.close();
          }
          controller.enqueue(encode(`${index === 0 ? "" : ","}${jsonTextOf(record)}`));
        }
        controller.enqueue(encode(`]${tail === "}" ? "" : ","}${tail}`));
        controller.close();
      },
    });
  }
}

function resourceOf({ pathname, searchParams }: URL): Resource | undefined {
  if (pathname === "/__inspector/sessions") return "sessions";
  const [, resource = ""] =
    /^\/__inspector\/sessions\/s\/(trace|messages|orchestration)$/.exec(pathname) ?? [];
  return searchParams.get("tenantId") === SESSION.tenantId && resource !== ""
    ? (resource as Resource)
    : undefined;
}

export function envelopes(...events: readonly (readonly [type: string, fields?: object])[]): object[] {
  return events.map(([type, fields], index) => envelope(index, type, fields));
}

export function envelope(sequence: number, type: string, fields: object = {}): object {
  return {
    id: `e${sequence}`,
    timestamp: new Date(Date.UTC(2026, 0, 15) + sequence * 1000).toISOString(),
    sequence,
    source: "runtime",
    ...SESSION,
    traceId: "main",
    event: { type, ...fields },
  };
}

export function sessionItem(sessionId: string, fields: object = {}): object {
  const lastActive = "2026-01-15T00:00:00.000Z";
  return { tenantId: "t", sessionId, userId: "", status: "idle", turns: 1, tokens: 1, lastActive, ...fields };
}

export const FAILED_TURN = envelopes(
  ["turn.start", { turnIndex: 0, input: "go" }],
  ["tool.start", { toolCallId: "a", toolName: "Bash", input: { command: "npm test" } }],
  ["tool.end", { toolCallId: "a", toolName: "Bash", output: "exit 1", isError: true }],
  ["tool.start", { toolCallId: "b", toolName: "Read", input: { path: "notes.md" } }],
  ["tool.end", { toolCallId: "b", toolName: "Read", output: "needle" }],
  ["brand.new", { note: "haystack" }],
  ["turn.end", { turnIndex: 0, outcome: "failed" }],
);
