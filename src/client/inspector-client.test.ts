import { describe, expect, expectTypeOf, it } from "vitest";
import { openapi, operationOf, schemaNamed } from "../../test/support/openapi.js";
import { ENDPOINTS, type EndpointId } from "../application/questions/endpoints.js";
import { createInMemoryInspectorDataSource } from "../composition/in-memory-data-source.js";
import { createInspectorRoute } from "../composition/threaded-inspector.js";
import { InspectorClientError } from "./client-error.js";
import { InspectorClient, pagesOf } from "./inspector-client.js";
import type * as Answers from "./queries-and-answers.js";

/** Those that answer with a document. */
const IDS = (Object.keys(ENDPOINTS) as EndpointId[]).filter((id) => ENDPOINTS[id].answer.kind !== "file");

/** The name of the schema of an operation's answer. */
const schemaOf = (id: EndpointId) => {
  const { content } = operationOf(id).responses[200] as {
    readonly content: { readonly "application/json": { readonly schema: { readonly $ref: string } } };
  };
  return content["application/json"].schema.$ref.split("/").at(-1)!;
};

/** The members of the answers as they are typed. */
const MEMBERS = {
  SessionList: members<Answers.SessionListAnswer>()(
    "sessions",
    "nextCursor",
    "total",
    "unread",
    "undecided",
    "warnings",
    "etag",
  ),
  TraceEnvelopeList: members<Answers.TraceAnswer>()(
    "envelopes",
    "nextCursor",
    "from",
    "syncToken",
    "moved",
    "warnings",
    "etag",
  ),
  AgentList: members<Answers.OrchestrationAnswer>()("agents", "from", "syncToken", "warnings", "etag"),
  MessageList: members<Answers.MessagesAnswer>()(
    "messages",
    "outline",
    "nextCursor",
    "from",
    "syncToken",
    "warnings",
    "etag",
  ),
  SessionSummary: members<Answers.SessionSummaryAnswer>()(
    "tenantId",
    "sessionId",
    "startedAt",
    "endedAt",
    "counts",
    "diagnosis",
    "total",
    "models",
    "agents",
    "turns",
    "largestCalls",
    "context",
    "cacheMisses",
    "time",
    "waste",
    "bytes",
    "etag",
  ),
  SessionComparison: members<Answers.SessionComparisonAnswer>()(
    "sessions",
    "tools",
    "files",
    "difference",
    "conversation",
    "steps",
  ),
  CallContext: members<Answers.CallContextAnswer>()("call", "messages", "nextCursor"),
  MessageProvenance: members<Answers.MessageProvenanceAnswer>()(
    "message",
    "source",
    "firstSeen",
    "rewrittenAt",
    "dropped",
    "repetitions",
    "moreRepetitions",
  ),
  ExportReview: members<Answers.ExportReviewAnswer>()("revision", "findings"),
  LinesExplained: members<Answers.LinesExplainedAnswer>()(
    "file",
    "from",
    "to",
    "blocks",
    "moreBlocks",
    "coverage",
  ),
  SearchAnswer: members<Answers.RecordSearchAnswer>()("hits", "searched", "total", "notes", "nextCursor"),
  SessionSearchAnswer: members<Answers.SessionSearchAnswer>()(
    "sessions",
    "searched",
    "total",
    "notes",
    "nextCursor",
  ),
  Overview: members<Answers.OverviewAnswer>()(
    "range",
    "coverage",
    "total",
    "previous",
    "pace",
    "rows",
    "projects",
    "models",
    "users",
    "sources",
    "roles",
    "tools",
    "failures",
    "largestSessions",
    "largestCalls",
    "concurrency",
    "warnings",
  ),
  SourceList: members<Answers.SourceListAnswer>()("sources"),
  ModelDescription: members<Answers.ModelAnswer>()("model", "rates"),
  Health: members<Answers.HealthAnswer>()("status"),
};

/** All members of a type by name: one that is missing or does not exist is an error of the compiler. */
function members<T>() {
  return <const Names extends readonly (keyof T)[]>(
    ...names: keyof T extends Names[number] ? Names : never
  ): readonly string[] => names as readonly string[];
}

function recorded(count = 5) {
  const envelopes = Array.from({ length: count }, (_, sequence) => ({
    id: `e${sequence}`,
    timestamp: new Date(sequence).toISOString(),
    sequence,
    source: "runtime" as const,
    sessionId: "s/1",
    tenantId: "a b",
    traceId: "t",
    event: { type: sequence === 0 ? "llm.start" : "text", text: `word ${sequence}` },
  }));
  const source = createInMemoryInspectorDataSource([
    {
      tenantId: "a b",
      sessionId: "s/1".replace("/", "_"),
      userId: "ada",
      title: "T",
      createdAt: 0,
      envelopes,
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "word 1" },
      ],
      orchestrationEvents: [],
    },
  ]);
  const route = createInspectorRoute(source, { onError: () => undefined });
  const requests: Request[] = [];
  const client = new InspectorClient({
    baseUrl: "http://host/",
    headers: async () => ({ Authorization: "Bearer x" }),
    fetch: async (address, init) => {
      const request = new Request(address, init);
      requests.push(request);
      return route.request(request);
    },
  });
  return { source, client, requests };
}

const SESSION = { tenantId: "a b", sessionId: "s_1" };

describe("the client and docs/openapi.yaml", () => {
  it("have the same members in every answer", () => {
    for (const id of IDS) {
      expect(InspectorClient.prototype).toHaveProperty(id);
      const schema = schemaOf(id);
      const { properties } = openapi.components.schemas[schema] as { readonly properties: object };
      const etag = ENDPOINTS[id].answer.kind === "value" ? [] : ["etag"];
      const documented = [...Object.keys(properties), ...etag].sort();
      expect([schema, [...MEMBERS[schema as keyof typeof MEMBERS]].sort()]).toEqual([schema, documented]);
    }
  });

  it("agree on what a real service answers", async () => {
    const { client } = recorded();
    const answers: Readonly<Record<string, object>> = {
      SessionList: await client.listSessions({ limit: 1, tenantId: "a b", status: "idle", q: "t" }),
      TraceEnvelopeList: await client.getSessionTrace({ ...SESSION, limit: 2 }),
      AgentList: await client.getSessionOrchestration({ ...SESSION, since: "" }),
      MessageList: await client.getSessionMessages({ ...SESSION, since: "" }),
      SessionSummary: await client.getSessionSummary(SESSION),
      SessionComparison: await client.compareSessions({
        ...SESSION,
        otherSessionId: SESSION.sessionId,
        otherTenantId: SESSION.tenantId,
      }),
      CallContext: await client.getCallContext({ ...SESSION, call: "e2", limit: 2 }),
      MessageProvenance: await client.getMessageProvenance({ ...SESSION, call: "e0", message: 0 }),
      ExportReview: await client.reviewExport(SESSION),
      LinesExplained: await client.explainLines({ file: "src/a.ts", text: "word 1", line: 3 }),
      SearchAnswer: await client.searchRecords({ q: "word", in: ["text", "other"], limit: 2 }),
      SessionSearchAnswer: await client.searchSessions({ q: "word", in: ["text", "other"], limit: 2 }),
      Overview: await client.getOverview({ by: "hour", stack: "source" }),
      SourceList: await client.listSources(),
      ModelDescription: await client.describeModel({
        model: "claude-opus-4-1-20250805",
        contextTokens: 1_000,
      }),
      Health: await client.checkHealth(),
    };
    expect(Object.keys(answers)).toEqual(IDS.map(schemaOf));
    for (const [name, answer] of Object.entries(answers)) {
      const { etag: _, ...body } = answer as { etag?: string };
      const validate = schemaNamed(name);
      expect([name, validate(body), validate.errors]).toEqual([name, true, null]);
    }
  });
});

describe("InspectorClient", () => {
  it("asks with its headers, and writes names and values so that they arrive", async () => {
    const { client, requests } = recorded();
    const { envelopes } = await client.getSessionTrace({ ...SESSION, cursor: undefined });
    expect(envelopes.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
    expect(requests[0]!.url).toBe("http://host/sessions/s_1/trace?tenantId=a+b");
    expect(requests[0]!.headers.get("authorization")).toBe("Bearer x");
    const error = await client.getSessionTrace({ sessionId: "../$& x" }).catch((reason: unknown) => reason);
    expect(new URL(requests[1]!.url).pathname).toBe("/sessions/..%2F%24%26%20x/trace");
    expect(error).toMatchObject({ code: "invalid_request" });
  });

  it("gives page after page", async () => {
    const { client } = recorded();
    const sizes: number[] = [];
    for await (const { envelopes } of pagesOf((cursor) =>
      client.getSessionTrace({ ...SESSION, limit: 2, cursor }),
    ))
      sizes.push(envelopes.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it("gives what came after an answer that is known", async () => {
    const { client, source } = recorded();
    const first = await client.getSessionMessages({ ...SESSION, since: "" });
    await source.sessionStore.appendMessages(SESSION, [{ role: "assistant", content: "hello" }]);
    const next = await client.getSessionMessages({ ...SESSION, since: first.syncToken! });
    expect(next).toMatchObject({ from: 2, messages: [{ content: "hello" }] });
  });

  it("gives nothing where an answer has not changed", async () => {
    const { client } = recorded();
    const first = await client.getSessionTrace(SESSION);
    expect(first.etag).toMatch(/^W/);
    const again = await client.getSessionTrace(SESSION, { ifNoneMatch: first.etag! });
    expectTypeOf(again).toEqualTypeOf<Answers.TraceAnswer | undefined>();
    expectTypeOf(first).toEqualTypeOf<Answers.TraceAnswer>();
    expect(again).toBeUndefined();
  });

  it.each([
    [400, "invalid_request"],
    [401, "not_allowed"],
    [403, "not_allowed"],
    [404, "not_found"],
    [500, "source_failed"],
    [502, "unavailable"],
    [503, "unavailable"],
    [418, "unexpected_status"],
  ])("fails with the code and the status of an answer of %i", async (status, code) => {
    const answer = (body: string) =>
      new InspectorClient({ baseUrl: "/x", fetch: async () => new Response(body, { status }) });
    const problem = JSON.stringify({ type: "about:blank", title: "T", status, detail: "What to do." });
    for (const [body, message] of [
      [problem, "What to do."],
      ["<p>", `HTTP ${status}`],
    ] as const) {
      const error = await answer(body)
        .listSessions()
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InspectorClientError);
      expect(error).toMatchObject({ code, status, message });
    }
  });

  it("fails where there is no answer, or a broken one", async () => {
    const failing = (fetch: () => Promise<Response>) =>
      new InspectorClient({ baseUrl: "/x", fetch }).checkHealth().catch((reason: unknown) => reason);
    const cause = new TypeError("fetch failed");
    expect(await failing(() => Promise.reject(cause))).toMatchObject({
      code: "unreachable",
      status: undefined,
      cause,
    });
    for (const body of ['{"status":', "[]", "{}", "null"])
      expect(await failing(async () => new Response(body))).toMatchObject({
        code: "broken_answer",
        status: 200,
      });
    const torn = new ReadableStream({ pull: (controller) => controller.error(new Error("torn")) });
    expect(await failing(async () => new Response(torn))).toMatchObject({ code: "broken_answer" });
  });

  it("ends a call with the reason of its signal", async () => {
    const controller = new AbortController();
    const fetch = (_: string, { signal }: { signal?: AbortSignal }) =>
      new Promise<Response>((_resolve, reject) =>
        signal!.addEventListener("abort", () => reject(signal!.reason)),
      );
    const call = new InspectorClient({ baseUrl: "/x", fetch }).checkHealth({ signal: controller.signal });
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});
