import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { mergeTrace } from "../support/merge-trace.js";
import { traceOf as streamOf } from "../support/snapshots.js";
import {
  at,
  FIXTURES,
  lines,
  newProjects,
  openHistories,
  storedIn,
  userRecord,
  uuid,
} from "./support/projects.js";

const SHOP = "aaaaaaaa-0000-4000-8000-000000000001";

const source = openHistories(FIXTURES);

async function traceOf(sessionId: string, tenantId = "shop"): Promise<WorkflowTraceEventEnvelope[]> {
  return mergeTrace(tenantId, sessionId, await source.loadTraceEnvelopes(tenantId, sessionId), []);
}

async function eventsOfLines(from: number, to = from): Promise<TraceEvent[]> {
  return (await traceOf(SHOP))
    .filter((envelope) => envelope.traceId === SHOP)
    .filter((envelope) => storedIn(envelope).line >= from && storedIn(envelope).line <= to)
    .map((envelope) => envelope.event);
}

/** Without the types of blocks, which become types of events. */
function textsAndNumbersIn(value: unknown, name: string): string[] {
  if (typeof value === "string" || typeof value === "number") {
    return name === "type" ? [] : [JSON.stringify(value)];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsAndNumbersIn(inner, key));
}

function typesOf(events: readonly TraceEvent[]): string[] {
  return events.map((event) => event.type);
}

describe("the trace of a Claude Code session", () => {
  it("begins with a session.start that knows folder, version and branch", async () => {
    const [first] = await traceOf(SHOP);
    expect(first).toMatchObject({ tenantId: "shop", sessionId: SHOP, traceId: SHOP, source: "runtime" });
    expect(first!.event).toMatchObject({
      type: "session.start",
      cwd: "/home/ada/shop",
      version: "2.1.100",
      gitBranch: "main",
    });
  });

  it("shows one model call for an API message of several lines, with its largest output", async () => {
    const events = await eventsOfLines(5, 7);
    expect(typesOf(events)).toEqual(["llm.start", "thinking", "text", "llm.end", "tool.start"]);
    expect(events[0]).toMatchObject({ callId: "msg_a1", model: "claude-sonnet-4-5", derived: true });
    expect(events[3]).toMatchObject({
      callId: "msg_a1",
      requestId: "req_msg_a1",
      usage: { inputTokens: 10, outputTokens: 30, cacheReadTokens: 100, cacheWriteTokens: 1_000 },
    });
  });

  it("begins a model call at the instant of the record that it answers", async () => {
    const trace = await traceOf(SHOP);
    const [first, second] = trace.filter(
      ({ event, traceId }) => event.type === "llm.start" && traceId === SHOP,
    );
    expect(first!.timestamp).toBe(at(2));
    expect(second!.timestamp).toBe(at(8));
  });

  it("pairs a tool's start and end, also around a model call that goes on", async () => {
    const trace = await traceOf(SHOP);
    const starts = trace.filter(({ event }) => event.type === "tool.start");
    const ends = trace.filter(({ event }) => event.type === "tool.end");
    expect(starts.map(({ event }) => event.toolCallId).sort()).toEqual([
      "toolu_a1",
      "toolu_a2",
      "toolu_a3",
      "toolu_p1",
      "toolu_w1",
    ]);
    expect(ends.map(({ event }) => `${event.toolCallId} ${event.toolName}`).sort()).toEqual([
      "toolu_a1 Bash",
      "toolu_a2 Task",
      "toolu_a3 Bash",
      "toolu_p1 Agent",
    ]);
    expect(starts[0]!.event.input).toEqual({ command: "ls basket" });
    expect(ends[0]!.event).toMatchObject({ output: "apple\napple", isError: false });
    expect(ends.find(({ event }) => event.toolCallId === "toolu_a3")!.event.isError).toBe(true);
  });

  it("ends a turn at its turn_duration, or where the model fell silent, or where the user stopped it", async () => {
    const trace = (await traceOf(SHOP)).filter((envelope) => envelope.traceId === SHOP);
    const turns = trace.filter(({ event }) => event.type.startsWith("turn."));
    expect(
      turns.map(({ timestamp, event }) => [event.type, event.turnIndex, event.outcome, timestamp]),
    ).toEqual([
      ["turn.start", 0, undefined, at(2)],
      ["turn.end", 0, "completed", at(11)],
      ["turn.start", 1, undefined, at(20)],
      ["turn.end", 1, "completed", at(42)],
      ["turn.start", 2, undefined, at(70)],
      ["turn.end", 2, "cancelled", at(73)],
      ["turn.start", 3, undefined, at(80)],
      ["turn.end", 3, "completed", at(82)],
    ]);
    expect(turns[1]!.event).toMatchObject({ durationMs: 9_000 });
    expect(turns[2]!.event.input).toMatchObject([{ type: "text" }, { type: "image" }]);
  });

  it("shows a compaction with its trigger and tokens, begun as long before as it took", async () => {
    const trace = await traceOf(SHOP);
    const [start, end] = trace.filter(({ event }) => event.type.startsWith("compaction."));
    expect(start).toMatchObject({
      timestamp: at(48),
      event: { type: "compaction.start", trigger: "auto", tokensBefore: 150_000 },
    });
    expect(end).toMatchObject({
      timestamp: at(50),
      event: { type: "compaction.end", trigger: "auto", tokensBefore: 150_000, tokensAfter: 9_000 },
    });
  });

  it("shows hooks, progress and attachments as they are, with what they are about", async () => {
    expect(await eventsOfLines(3)).toMatchObject([
      { type: "session.start" },
      {
        type: "claude-code.progress",
        subtype: "hook_progress",
        bookkeeping: "hook",
        hook: { command: "echo hi" },
        record: { data: { command: "echo hi" } },
      },
    ]);
    expect(await eventsOfLines(8)).toMatchObject([
      {
        type: "claude-code.progress",
        subtype: "bash_progress",
        toolCallId: "toolu_a1",
        bookkeeping: "record",
      },
    ]);
    expect(await eventsOfLines(11)).toMatchObject([
      { type: "claude-code.system", subtype: "stop_hook_summary", bookkeeping: "hook" },
    ]);
    expect(await eventsOfLines(21)).toMatchObject([
      { type: "claude-code.attachment", subtype: "hook_success", record: { attachment: { exitCode: 0 } } },
    ]);
  });

  it("passes record types, fields and content blocks through that it does not know", async () => {
    expect(await eventsOfLines(33)).toMatchObject([
      { type: "claude-code.quantum-leap", record: { qubits: [1, null, { deep: true }] } },
    ]);
    expect((await eventsOfLines(7)).at(-1)).toMatchObject({ type: "tool.start", record: { effort: "high" } });
    expect(await eventsOfLines(18)).toMatchObject([
      { type: "llm.start" },
      { type: "claude-code.server_tool_use", name: "web_search", input: { query: "pears" } },
      { type: "text", text: "In the cellar." },
      { type: "llm.end" },
      { type: "turn.end" },
    ]);
  });

  it("carries the whole of each record, whatever envelopes its line gives", async () => {
    const envelopes = await source.loadTraceEnvelopes("shop", SHOP);
    const file = `${SHOP}.jsonl`;
    const stored = readFileSync(path.join(FIXTURES, "shop", file), "utf8")
      .trim()
      .split("\n");
    stored.forEach((text, i) => {
      const ofLine = envelopes.filter((envelope) => {
        const place = storedIn(envelope);
        return place.file === file && place.line === i + 1;
      });
      const shown = JSON.stringify(ofLine);
      for (const value of textsAndNumbersIn(JSON.parse(text), "record")) expect(shown).toContain(value);
    });
  });

  it("takes ids from uuids, and gives every envelope one of its own, the same each time", async () => {
    const ids = (await traceOf(SHOP)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(uuid(102));
    expect(ids.every((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))).toBe(true);
    const again = await openHistories(FIXTURES).loadTraceEnvelopes("shop", SHOP);
    expect(mergeTrace("shop", SHOP, again, []).map(({ id }) => id)).toEqual(ids);
  });

  it("shows a retry and what ended a turn as errors", async () => {
    const errors = (await traceOf("ffffffff-0000-4000-8000-000000000006", "errors")).filter(
      ({ event }) => event.type === "error",
    );
    expect(errors.map(({ event }) => event)).toMatchObject([
      { error: { message: "Connection lost" }, retryAttempt: 1, maxRetries: 10, retryInMs: 500 },
      {
        error: { message: "API Error: 401 Please run /login" },
        record: { error: "authentication_failed", message: { content: [{ type: "text" }] } },
      },
    ]);
    const [retried] = (await traceOf("eeeeeeee-0000-4000-8000-000000000005", "errors")).filter(
      ({ event }) => event.type === "error",
    );
    expect(retried!.event.error).toEqual({ message: "Overloaded" });
  });

  it("streams any part in any order", async () => {
    const stream = await streamOf(source, "shop", SHOP);
    const loaded = await source.loadTraceEnvelopes("shop", SHOP);
    expect(stream.size).toBe(loaded.length);
    const positions = Uint32Array.from({ length: stream.size }, (_, i) => stream.size - 1 - i);
    const read: WorkflowTraceEventEnvelope[] = [];
    for await (const batch of stream.read({ positions, from: 3, to: stream.size - 2 })) {
      read.push(...(JSON.parse(`[${Buffer.from(batch.text).toString()}]`) as WorkflowTraceEventEnvelope[]));
    }
    expect(read).toEqual(loaded.toReversed().slice(3, -2));
    for (let i = 0; i < stream.size; i++) {
      expect(stream.keys.sequences[i]).toBe(loaded[i]!.sequence);
      expect(stream.keys.traceIds[stream.keys.traces[i]!]).toBe(loaded[i]!.traceId);
    }
    expect((await streamOf(source, "shop", SHOP)).keys).toBe(stream.keys);
  });

  it("shows a text that lies beside tool results as the user's", async () => {
    const content = [
      { type: "tool_result", tool_use_id: "t", content: "done" },
      { type: "text", text: "And now stop." },
    ];
    const root = await newProjects({ "p/s.jsonl": lines(userRecord(1, 0, content)) });
    const events = (await openHistories(root).loadTraceEnvelopes("p", "s")).map(({ event }) => event);
    const text = { type: "text", role: "user", text: "And now stop." };
    expect(events).toContainEqual(expect.objectContaining(text));
  });
});
