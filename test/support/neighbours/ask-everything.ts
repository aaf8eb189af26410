import { expect } from "vitest";
import * as recordTools from "../../../src/adapters/mcp/record-tools.js";
import * as sessionTools from "../../../src/adapters/mcp/session-tools.js";
import type { Tool } from "../../../src/adapters/mcp/tool.js";
import { createInspectorContainer, createInspectorRoute, InProcessPool } from "../../../src/advanced.js";
import type { EndpointId, InspectorUseCases } from "../../../src/application/questions/endpoints.js";
import { useCasesOf } from "../../../src/composition/container.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { expectConforms, expectHeadConforms } from "../openapi.js";

/** A session, and a text that lies in it and in no other one. */
export interface Asked {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly text: string;
}

/** The answers to everything that can be asked of a session, each as its text, by its question. */
export type Answers = Readonly<Record<string, string>>;

type Body = Readonly<Record<string, unknown>>;

interface Listed {
  readonly tenantId: string;
  readonly sessionId: string;
}

type Key = Listed;

/** Everything that can be asked of a source, and how it is asked. */
export class Interview {
  readonly failures: unknown[] = [];
  readonly #route: ReturnType<typeof createInspectorRoute>;
  readonly #useCases: InspectorUseCases;

  constructor(source: InspectorDataSource) {
    const container = createInspectorContainer(source, { pool: new InProcessPool() });
    this.#useCases = useCasesOf(container);
    this.#route = createInspectorRoute(container, { onError: (error) => void this.failures.push(error) });
  }

  /** The answer's text; it has to be one of success. */
  async get(path: string, conforms = false): Promise<string> {
    const response = await this.#route.request(path);
    const text = conforms ? await expectConforms(response, path) : await response.text();
    if (response.status !== 200) {
      throw new Error(`${path} is answered with ${response.status}: ${text}`, {
        cause: this.failures.at(-1),
      });
    }
    JSON.parse(text);
    return text;
  }

  async head(path: string): Promise<string> {
    const response = await this.#route.request(path, { method: "HEAD" });
    expectHeadConforms(response, path, "HEAD");
    return String(response.status);
  }

  /** All sessions that there are. */
  async listed(conforms: boolean): Promise<readonly Listed[]> {
    return (JSON.parse(await this.get("/sessions", conforms)) as { sessions: readonly Listed[] }).sessions;
  }

  /** Everything that there is to ask of a session, whose records may be hostile; what was answered otherwise than it should be. */
  async faultsOf({ tenantId, sessionId }: Key): Promise<string[]> {
    const faults: string[] = [];
    for (const list of ["trace", "orchestration", "messages", "summary"]) {
      const path = `/sessions/${encodeURIComponent(sessionId)}/${list}?${queryOf({ tenantId })}`;
      try {
        await this.get(path, list === "summary" || list === "orchestration");
      } catch (error) {
        const { message, cause } = error as Error;
        faults.push(`${message.slice(0, 500)} ${cause instanceof Error ? cause.stack : ""}`);
      }
    }
    return faults;
  }

  tools(): readonly Tool[] {
    const factories = [...Object.values(sessionTools), ...Object.values(recordTools)];
    return factories.map((toolOf) => toolOf(this.#useCases));
  }
}

function queryOf(values: object): string {
  return new URLSearchParams(Object.entries(values) as [string, string][]).toString();
}

/** Follows the cursors of a list to its end; the pages. */
async function pagesOf(ask: (cursor: object) => Promise<string>): Promise<string[]> {
  const pages: string[] = [];
  for (let cursor: unknown = ""; cursor !== null; ) {
    pages.push(await ask(cursor === "" ? {} : { cursor }));
    cursor = (JSON.parse(pages.at(-1)!) as Body).nextCursor ?? null;
    if (pages.length > 20_000) throw new Error("There is no last page.");
  }
  return pages;
}

/** The elements of a list that are of a session, as texts. */
function ownOf({ tenantId, sessionId }: Key, list: string, pages: readonly string[]): string {
  const all = pages.flatMap((page) => (JSON.parse(page) as Body)[list] as readonly Listed[]);
  const own = all.filter((one) => one.tenantId === tenantId && one.sessionId === sessionId);
  return JSON.stringify(own);
}

/**
 * Asks every operation of the API about a session.
 *
 * @param others to compare it with
 */
export async function askApi(interview: Interview, asked: Asked, others: readonly Key[]): Promise<Answers> {
  const { tenantId, sessionId, text } = asked;
  const of = (what: string, values: object = {}) =>
    interview.get(
      `/sessions/${encodeURIComponent(sessionId)}/${what}?${queryOf({ tenantId, ...values })}`,
      true,
    );
  const list = async (values: object = {}) =>
    ownOf(asked, "sessions", [await interview.get(`/sessions?${queryOf(values)}`)]);
  const listPages = async (values: object) =>
    ownOf(
      asked,
      "sessions",
      await pagesOf((cursor) => interview.get(`/sessions?${queryOf({ ...values, ...cursor })}`)),
    );
  const search = async (values: object) =>
    pagesOf((cursor) => interview.get(`/search?${queryOf({ ...values, ...cursor })}`));
  const compare = async (a: Key, b: Key) =>
    interview.get(
      `/compare?${queryOf({ sessionId: a.sessionId, tenantId: a.tenantId, otherSessionId: b.sessionId, otherTenantId: b.tenantId })}`,
    );
  // What a side did behind the first difference depends on the other one.
  const sideOf = (text: string, side: number) => {
    const { fromDifference: _, ...own } = ((JSON.parse(text) as Body).sessions as readonly Body[])[side]!;
    return JSON.stringify(own);
  };

  const trace = await of("trace");
  const { envelopes } = JSON.parse(trace) as { envelopes: { id: string; event: Body }[] };
  const calls = envelopes.filter(({ event }) => event.type === "llm.start").map(({ id }) => id);
  const agents = (JSON.parse(await of("orchestration")) as { agents: { agentId: string }[] }).agents;
  const row = JSON.parse(await list()) as { userId: string; status: string }[];
  expect([calls.length, row.length], "calls and rows of the session").toEqual([expect.any(Number), 1]);
  expect(calls).not.toEqual([]);
  const { userId, status } = row[0]!;
  const call = calls[0]!;

  const questions: Readonly<Record<EndpointId, Readonly<Record<string, () => Promise<string> | string>>>> = {
    listSessions: {
      all: () => JSON.stringify(row),
      "of the tenant": () => list({ tenantId }),
      "of the session": () => list({ tenantId, sessionId }),
      "of the user": () => list({ userId }),
      "of a status": () => list({ status }),
      "with a text": () => list({ q: sessionId.slice(0, 4).toUpperCase() }),
      "in pages": () => listPages({ limit: 7 }),
      "in pages of the tenant": () => listPages({ limit: 2, tenantId }),
    },
    getSessionTrace: {
      whole: () => trace,
      "in pages": async () => String(await pagesOf((cursor) => of("trace", { limit: 3, ...cursor }))),
      first: () => of("trace", { since: "" }),
      since: async () => of("trace", { since: tokenOf(await of("trace", { since: "" })) }),
    },
    getSessionOrchestration: {
      whole: () => of("orchestration"),
      first: () => of("orchestration", { since: "" }),
    },
    getSessionMessages: {
      whole: () => of("messages"),
      "in pages": async () => String(await pagesOf((cursor) => of("messages", { limit: 1, ...cursor }))),
      first: () => of("messages", { since: "" }),
      "of sub-agents": async () => String(await inTurn(agents, ({ agentId }) => of("messages", { agentId }))),
      "of a sub-agent that there is not": () => of("messages", { agentId: "__proto__" }),
    },
    getSessionSummary: { whole: () => of("summary") },
    compareSessions: {
      "with itself": () => compare(asked, asked),
      "with others": async () =>
        distinct(await inTurn(others, async (other) => sideOf(await compare(asked, other), 0))),
      "others with it": async () =>
        distinct(await inTurn(others, async (other) => sideOf(await compare(other, asked), 1))),
    },
    getCallContext: {
      "of each call": async () => String(await inTurn(calls, (one) => of("context", { call: one }))),
      "in pages": async () => String(await pagesOf((cursor) => of("context", { call, limit: 1, ...cursor }))),
    },
    getMessageProvenance: { "of a message": () => of("provenance", { call, message: 0 }) },
    searchRecords: {
      "of all": async () => ownOf(asked, "hits", await search({ q: text })),
      "of all, as a pattern": async () =>
        ownOf(asked, "hits", await search({ q: `re:(?i)${text}`, limit: 1_000 })),
      "of the tenant": async () => ownOf(asked, "hits", await search({ q: `"${text}"`, tenantId, limit: 2 })),
      "of the session": async () => String(await search({ q: text, tenantId, sessionId })),
    },
    checkHealth: { health: () => interview.get("/health", true) },
  };
  const answers: Record<string, string> = {};
  for (const [endpoint, ways] of Object.entries(questions)) {
    for (const [way, ask] of Object.entries(ways)) {
      answers[`${endpoint}, ${way}`] = await ask();
    }
  }
  for (const what of ["trace", "orchestration", "messages", "summary"]) {
    answers[`HEAD ${what}`] = await interview.head(
      `/sessions/${encodeURIComponent(sessionId)}/${what}?${queryOf({ tenantId })}`,
    );
  }
  answers["HEAD sessions"] = await interview.head("/sessions");
  // Tokens name readings of files, of which each source has its own.
  for (const [question, answer] of Object.entries(answers))
    answers[question] = answer.replace(/("syncToken":)"[^"]+"/g, "$1");
  for (const way of ["of all", "of all, as a pattern", "of the tenant"]) {
    expect(answers[`searchRecords, ${way}`], way).not.toBe("[]");
  }
  return answers;
}

/** Asks every tool that coding agents have about a session. */
export async function askTools(interview: Interview, asked: Asked): Promise<Answers> {
  const { tenantId, sessionId, text } = asked;
  const own = { tenantId, sessionId };
  const tools = new Map(interview.tools().map((tool) => [tool.name, tool]));
  const call = async (name: string, given: object): Promise<string> => {
    const { input, execute } = tools.get(name)!;
    return (await execute(input.parse(given), AbortSignal.timeout(60_000))).join("\n");
  };
  const pages = (name: string, given: object) => pagesOf((cursor) => call(name, { ...given, ...cursor }));
  const { envelopes } = JSON.parse(await call("trace_slice", own)) as {
    envelopes: { id: string; event: Body }[];
  };
  const { id } = envelopes.find(({ event }) => event.type === "llm.start")!;
  const questions: Readonly<Record<string, () => Promise<unknown>>> = {
    list_sessions: async () => [
      ownOf(asked, "sessions", await pages("list_sessions", { limit: 50 })),
      ownOf(asked, "sessions", [await call("list_sessions", own)]),
    ],
    search: async () => [
      ownOf(asked, "hits", await pages("search", { query: text, limit: 50 })),
      await call("search", { query: `re:${text}`, ...own }),
    ],
    session_summary: async () => [
      await call("session_summary", own),
      await call("session_summary", { ...own, jsonFrom: 0 }),
    ],
    trace_slice: async () => [
      await pages("trace_slice", { ...own, limit: 5 }),
      await call("trace_slice", { ...own, id }),
      await call("trace_slice", { ...own, from: 1, jsonFrom: 0 }),
    ],
    messages: async () => [
      await pages("messages", own),
      await call("messages", { ...own, from: 1 }),
      await call("messages", { ...own, agentId: "constructor" }),
    ],
    context_at_call: async () => [
      await pages("context_at_call", { ...own, call: id }),
      await call("context_at_call", { ...own, call: id, message: 0 }),
    ],
  };
  expect(Object.keys(questions).sort()).toEqual([...tools.keys()].sort());
  const answers: Record<string, string> = {};
  for (const [name, ask] of Object.entries(questions)) answers[name] = String(await ask());
  return answers;
}

async function inTurn<T>(all: readonly T[], ask: (one: T) => Promise<string>): Promise<string[]> {
  const answers: string[] = [];
  for (const one of all) answers.push(await ask(one));
  return answers;
}

/** Answers that should be the same, each once. */
function distinct(answers: readonly string[]): string {
  return [...new Set(answers)].join("\n");
}

function tokenOf(text: string): unknown {
  return (JSON.parse(text) as Body).syncToken;
}

/** Where answers differ from those that were expected: the question, and both from a little before the first difference on. */
export function differences(expected: Answers, answers: Answers): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(answers)])].flatMap((question) => {
    const [a = "nothing", b = "nothing"] = [expected[question], answers[question]];
    if (a === b) return [];
    let at = 0;
    while (a[at] === b[at]) at++;
    const part = (text: string) => text.slice(Math.max(0, at - 100), at + 200);
    return [`${question}: expected … ${part(a)} … but it is … ${part(b)} …`];
  });
}
