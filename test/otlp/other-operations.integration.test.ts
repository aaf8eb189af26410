import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOtlpDataSource } from "../../src/otlp.js";
import { temporaryFolder } from "../support/data-directory.js";
import { agent, call, event, jsonLines, request, span, spanId, traceId } from "./support/spans.js";

async function sourceOf(...spans: readonly object[]) {
  const file = path.join(await temporaryFolder(), "spans.jsonl");
  await writeFile(file, jsonLines(request(...spans)));
  const source = createOtlpDataSource({ directory: file, threads: false });
  onTestFinished(() => source.close?.());
  return source;
}

async function eventsOf(...spans: readonly object[]) {
  const source = await sourceOf(...spans);
  const trace = await source.loadTraceEnvelopes("shop", traceId());
  return trace.map(({ event, timestamp }) => ({
    ...event,
    at: (Date.parse(timestamp) - Date.UTC(2026, 0, 1)) / 1_000,
  }));
}

const operation = (name: string, others: Readonly<Record<string, string | number>> = {}) => ({
  "gen_ai.operation.name": name,
  ...others,
});

/** Values of `gen_ai.operation.name` in the registry of attributes. */
const MEMORY = [
  ...["create_memory", "delete_memory", "search_memory", "update_memory", "upsert_memory"],
  ...["create_memory_store", "delete_memory_store"],
];

describe("operations that are no agent and no call", () => {
  it.each(MEMORY)("%s is a step, also where it names a model and tokens", async (name) => {
    const attributes = operation(name, {
      "gen_ai.request.model": "embedder",
      "gen_ai.usage.input_tokens": 9,
      "gen_ai.memory.query.text": "what Ada eats",
      "gen_ai.memory.store.id": "ms_1",
    });
    const step = span({ id: 2, parent: 1, name: `${name} preferences`, from: 1, to: 2, attributes });
    const events = await eventsOf(agent({ from: 0, to: 3 }), step);
    expect(events.map(({ type }) => type)).toEqual(["turn.start", "span", "turn.end"]);
    expect(events[1]).toMatchObject({
      name: `${name} preferences`,
      operation: name,
      query: "what Ada eats",
      durationMs: 1_000,
      parentSpanId: spanId(1),
      attributes: { "gen_ai.memory.store.id": "ms_1" },
    });
  });

  it("a plan is a step that holds the call that made it, and tokens are the call's", async () => {
    const plan = operation("plan", { "gen_ai.usage.input_tokens": 50, "gen_ai.request.model": "m" });
    const spans = [
      agent({ from: 0, to: 9 }),
      span({ id: 2, parent: 1, name: "plan helper", from: 1, to: 4, attributes: plan }),
      call({ id: 3, parent: 2, from: 2, to: 3 }),
    ];
    const events = (await eventsOf(...spans)).filter(({ type }) => type !== "text");
    expect(events.map(({ type }) => type)).toEqual([
      "turn.start",
      "llm.start",
      "llm.end",
      "span",
      "turn.end",
    ]);
    expect(await (await sourceOf(...spans)).listSessions()).toMatchObject([{ tokens: 59 }]);
    expect(events[1]).toMatchObject({ callId: spanId(3), parentSpanId: spanId(2) });
    expect(events[3]).toMatchObject({ name: "plan helper", operation: "plan", durationMs: 3_000 });
  });
});

describe("what evaluators say", () => {
  it("is an event in the span that it is said of, at its instant", async () => {
    const result = event("gen_ai.evaluation.result", 2.5, {
      "gen_ai.evaluation.name": "Relevance",
      "gen_ai.evaluation.score.value": 4,
      "gen_ai.evaluation.score.label": "relevant",
      "gen_ai.evaluation.explanation": "It answers.",
    });
    const failed = event("gen_ai.evaluation.result", 2.6, {
      "gen_ai.evaluation.name": "Safety",
      "error.type": "timeout",
    });
    const events = await eventsOf(agent({ from: 0, to: 9 }), {
      ...call({ id: 2, from: 1, to: 3 }),
      events: [result, failed],
    });
    const said = events.filter(({ type }) => type === "evaluation");
    expect(said).toEqual([
      {
        type: "evaluation",
        ...{ name: "Relevance", score: 4, label: "relevant", explanation: "It answers." },
        ...{ parentSpanId: spanId(2), at: 2.5 },
      },
      { type: "evaluation", name: "Safety", failure: "timeout", parentSpanId: spanId(2), at: 2.6 },
    ]);
  });

  it("shows beside steps alone, too", async () => {
    const result = event("gen_ai.evaluation.result", 1, { "gen_ai.evaluation.name": "Style" });
    const events = await eventsOf({ ...span({ id: 1, from: 0, to: 2 }), events: [result] });
    expect(events).toMatchObject([
      { type: "evaluation", name: "Style", parentSpanId: spanId(1), at: 1 },
      { type: "span", spanId: spanId(1) },
    ]);
  });
});

describe("a conversation that was compacted", () => {
  const compacted = { "gen_ai.conversation.compacted": true };

  it("is a compaction before the first call that says so, and none before those that go on", async () => {
    const events = await eventsOf(
      agent({ from: 0, to: 9 }),
      call({ id: 2, from: 1, to: 2 }),
      call({ id: 3, from: 3, to: 4, attributes: compacted }),
      call({ id: 4, from: 5, to: 6, attributes: compacted }),
    );
    const told = events.filter(({ type }) => /compaction|llm.start/.test(type));
    expect(told).toMatchObject([
      { type: "llm.start", at: 1 },
      { type: "llm.start", at: 3 },
      { type: "compaction.start", at: 3, trigger: "conversation_compacted" },
      { type: "compaction.end", at: 3 },
      { type: "llm.start", at: 5 },
    ]);
  });

  it("is the span of nothing else that says so, with its length and what it knows of sizes; the next call says it again", async () => {
    const says = (...texts: string[]) => ({
      "gen_ai.input.messages": JSON.stringify(
        texts.map((text, i) => ({
          role: i % 2 ? "assistant" : "user",
          parts: [{ type: "text", content: text }],
        })),
      ),
    });
    const sizes = {
      "compaction.tokens_before": 900,
      "compaction.tokens_after": 90,
      "compaction.strategy": "summary",
    };
    const events = await eventsOf(
      agent({ from: 0, to: 9 }),
      call({ id: 2, from: 1, to: 2, attributes: says("a", "b", "c") }),
      call({ id: 3, from: 2, to: 3, attributes: says("a", "b", "c", "d", "e") }),
      span({
        id: 4,
        parent: 1,
        name: "compact_messages",
        from: 3,
        to: 5,
        attributes: { ...compacted, ...sizes },
      }),
      call({ id: 5, from: 5, to: 6, attributes: { ...says("So far: a to e.", "f", "g"), ...compacted } }),
    );
    const told = events.filter(({ type }) => type.startsWith("compaction"));
    expect(told).toEqual([
      expect.objectContaining({ type: "compaction.start", at: 3, trigger: "compact_messages" }),
      expect.objectContaining({
        type: "compaction.end",
        at: 5,
        tokensBefore: 900,
        tokensAfter: 90,
        attributes: expect.objectContaining({ "compaction.strategy": "summary" }),
      }),
    ]);
  });

  it("is told by an event of the call, too", async () => {
    const told = {
      ...call({ id: 2, from: 1, to: 2 }),
      events: [event("gen_ai.conversation.compacted", 1.5, {})],
    };
    const events = await eventsOf(agent({ from: 0, to: 9 }), told);
    expect(events.filter(({ type }) => type === "compaction.end")).toHaveLength(1);
  });
});
