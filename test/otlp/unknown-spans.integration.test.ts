import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createOtlpDataSource } from "../../src/otlp.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inspect } from "../support/inspector.js";
import { call, jsonLines, request, requestFrom, span, spanId, traceId } from "./support/spans.js";

async function sourceOf(...requests: readonly object[]) {
  const file = path.join(await temporaryFolder(), "spans.jsonl");
  await writeFile(file, jsonLines(...requests));
  const source = createOtlpDataSource({ directory: file, threads: false, now: () => Date.UTC(2026, 0, 2) });
  onTestFinished(() => source.close?.());
  const ids = async () => (await source.listSessions()).map(({ sessionId }) => sessionId);
  return { source, ids };
}

const LLM = { "braintrust.span_attributes.type": "llm", "user.id": "ada" };
const TREE = [
  span({ id: 3, parent: 2, name: "fetch", from: 2, to: 3, error: "refused" }),
  span({ id: 2, parent: 1, name: "chat", from: 1, to: 4, attributes: LLM, error: "refused" }),
  span({ id: 1, name: "main", from: 0, to: 9 }),
];

it("shows spans that no convention knows as steps: their tree, how long they took and their attributes", async () => {
  const { source } = await sourceOf(
    request(...TREE),
    request(span({ id: 4, parent: 1, name: "open", from: 5 })),
  );
  expect(await source.findSessions!({})).toMatchObject({
    items: [
      {
        tenantId: "shop",
        sessionId: traceId(),
        title: "main",
        userId: "ada",
        turns: 0,
        errors: 1,
        status: "idle",
      },
    ],
    total: 1,
    warnings: [],
  });
  const events = (await source.loadTraceEnvelopes("shop", traceId())).map(({ event }) => event);
  const error = { message: "refused" };
  expect(events).toEqual([
    expect.objectContaining({
      type: "span",
      name: "fetch",
      spanId: spanId(3),
      parentSpanId: spanId(2),
      durationMs: 1_000,
      error,
    }),
    expect.objectContaining({
      type: "span",
      name: "chat",
      spanId: spanId(2),
      parentSpanId: spanId(1),
      startedAt: "2026-01-01T00:00:01.000Z",
      durationMs: 3_000,
      attributes: LLM,
      failure: "refused",
    }),
    expect.objectContaining({
      type: "span",
      name: "main",
      spanId: spanId(1),
      durationMs: 9_000,
      attributes: {},
    }),
  ]);
});

it("answers what is asked of such a session", async () => {
  const { source } = await sourceOf(request(...TREE));
  const { ask, failures } = inspect(source);
  const answers = ["trace", "messages", "orchestration", "summary"].map(
    async (what) => (await ask(`/sessions/${traceId()}/${what}?tenantId=shop`)).status,
  );
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200]);
  expect(failures).toEqual([]);
});

it("makes a session of steps of each trace, or of those that name one", async () => {
  const named = (trace: number) =>
    span({ id: trace, trace, from: trace, to: trace + 1, attributes: { "session.id": "s" } });
  const { source, ids } = await sourceOf(
    request(named(1), named(2), span({ id: 3, trace: 3, from: 3, to: 4 })),
  );
  expect(await ids()).toEqual([traceId(3), "s"]);
  expect(await source.loadTraceEnvelopes("shop", "s")).toHaveLength(2);
});

it("shows requests and queries of no service whose agents and calls are known, and those of any other", async () => {
  const step = (id: number) => span({ id, trace: id, name: "GET /", from: 20, to: 21 });
  const { ids } = await sourceOf(
    request(call({ id: 2, from: 1, to: 2 }), step(7)),
    requestFrom({ "service.name": "web" }, step(8)),
  );
  expect(await ids()).toEqual([traceId(8), traceId(1)]);
});

it("is no session as long as no step has ended", async () => {
  const { ids } = await sourceOf(request(span({ id: 1, from: 0 })));
  expect(await ids()).toEqual([]);
});
