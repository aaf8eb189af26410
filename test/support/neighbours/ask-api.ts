import { expect } from "vitest";
import type { EndpointId } from "../../../src/application/questions/endpoints.js";
import {
  type Answers,
  type Asked,
  type Body,
  type Interview,
  type Key,
  ownOf,
  pagesOf,
  queryOf,
} from "./interview.js";

/**
 * Calls every operation of the API.
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
  const sessionsWith = async (values: object) => {
    const pages = await pagesOf((cursor) =>
      interview.get(`/search/sessions?${queryOf({ ...values, ...cursor })}`),
    );
    const found = JSON.parse(ownOf(asked, "sessions", pages)) as readonly Key[];
    return JSON.stringify(found.map(({ tenantId, sessionId }) => ({ tenantId, sessionId })));
  };
  const compare = async (a: Key, b: Key) =>
    interview.get(
      `/compare?${queryOf({ sessionId: a.sessionId, tenantId: a.tenantId, otherSessionId: b.sessionId, otherTenantId: b.tenantId })}`,
    );
  // The set of sessions that were read depends on the time.
  const linesOf = async (where: object) => {
    const { blocks } = JSON.parse(
      await interview.get(`/why?${queryOf({ file: "src/shop/a.ts", text, ...where })}`),
    ) as Body;
    return JSON.stringify(blocks);
  };
  // The steps after the first difference depend on the other session.
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
    // The time of the export differs, and so do revisions of sources.
    exportSession: {
      "as lines": async () => {
        const query = queryOf({ tenantId, format: "jsonl", redact: "none" });
        const path = `/sessions/${encodeURIComponent(sessionId)}/export?${query}`;
        return (await interview.file(path, true)).replace(/^.*\n/, "").replace(/("revision":)"[^"]+"/, "$1");
      },
    },
    // Each source has its own revisions.
    reviewExport: {
      "of all": async () => JSON.stringify((JSON.parse(await of("findings")) as Body).findings),
    },
    explainLines: {
      "of all": () => linesOf({}),
      "of the tenant": () => linesOf({ tenantId }),
      "of the session": () => linesOf({ tenantId, sessionId }),
    },
    searchRecords: {
      "of all": async () => ownOf(asked, "hits", await search({ q: text })),
      "of all, as a pattern": async () =>
        ownOf(asked, "hits", await search({ q: `re:(?i)${text}`, limit: 1_000 })),
      "of the tenant": async () => ownOf(asked, "hits", await search({ q: `"${text}"`, tenantId, limit: 2 })),
      "of the session": async () => ownOf(asked, "hits", await search({ q: text, tenantId, sessionId })),
    },
    // The progress within a session depends on the time.
    searchSessions: {
      "of all": () => sessionsWith({ q: text }),
      "of the tenant, in pages": () => sessionsWith({ q: text, tenantId, limit: 1 }),
    },
    // Its figures are totals of all sessions.
    getOverview: {
      "of the tenant": async () => {
        const { total } = JSON.parse(
          await interview.get(
            `/overview?tenantId=${encodeURIComponent(tenantId)}&filter=session:${encodeURIComponent(sessionId)}`,
          ),
        ) as Body;
        return JSON.stringify(total);
      },
    },
    // Its figures are totals of all sessions, and include failures of sources.
    listSources: {
      "names of sources": async () => {
        const { sources } = JSON.parse(await interview.get("/sources")) as {
          readonly sources: readonly Body[];
        };
        return JSON.stringify(sources.map(({ name }) => name));
      },
    },
    describeModel: { "of a model": () => interview.get("/model?model=gpt-5&at=2026-02-01T00:00:00Z") },
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
  // Tokens name readings of files, which differ for each source.
  for (const [question, answer] of Object.entries(answers))
    answers[question] = answer.replace(/("syncToken":)"[^"]+"/g, "$1");
  for (const way of ["of all", "of all, as a pattern", "of the tenant"]) {
    expect(answers[`searchRecords, ${way}`], way).not.toBe("[]");
  }
  return answers;
}

async function inTurn<T>(all: readonly T[], ask: (one: T) => Promise<string>): Promise<string[]> {
  const answers: string[] = [];
  for (const one of all) answers.push(await ask(one));
  return answers;
}

function distinct(answers: readonly string[]): string {
  return [...new Set(answers)].join("\n");
}

function tokenOf(text: string): unknown {
  return (JSON.parse(text) as Body).syncToken;
}
