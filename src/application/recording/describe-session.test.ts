import { describe, expect, it } from "vitest";
import { CollectingStore } from "../../../test/support/collecting-store.js";
import { createInMemoryInspectorDataSource } from "../../composition/in-memory-data-source.js";
import { classifyEvent } from "../../domain/dialects/event-kinds.js";
import { describeSession } from "./describe-session.js";
import { SessionRecorder } from "./session-recorder.js";

const KEY = { tenantId: "acme", sessionId: "s1" };

/** Returns the records that a store receives for a session, together with a source whose list is correct. */
async function recorded(end: boolean) {
  const source = createInMemoryInspectorDataSource();
  const store = new CollectingStore(source.sessionStore);
  const recorder = new SessionRecorder(store);
  const session = await recorder.open({ ...KEY, userId: "ada", title: "A title", agentId: "helper" });
  const trace = session.startTrace();
  await trace.record({ type: "turn.start", turnIndex: 0, input: "What fails?" });
  await trace.record({ type: "tool.start", toolCallId: "1", toolName: "read" });
  await trace.record({ type: "text", text: "I read it." });
  await trace.record({
    type: "llm.end",
    callId: "c",
    model: "m",
    usage: { inputTokens: 20, outputTokens: 3 },
  });
  await session.recordOrchestration({ type: "agent_spawned", agent: { id: "a1" } });
  if (end) {
    await session.recordTurn({ inputTokens: 20, outputTokens: 4 });
    await trace.record({ type: "turn.end", turnIndex: 0, outcome: "failed", error: "overloaded" });
  }
  await session.setTitle("Another");
  return { source, records: store.recordsOf(KEY) };
}

describe("describeSession", () => {
  it.each([
    ["goes on", false, { status: "running", turns: 1, tokens: 23 }],
    ["has failed", true, { status: "error", turns: 1, tokens: 24, prompt: "What fails?" }],
  ])("says of a session that %s what any other source says", async (_, end, expected) => {
    const { source, records } = await recorded(end);
    const item = describeSession(records);
    expect(item).toMatchObject({ ...KEY, userId: "ada", title: "Another", agentId: "helper", ...expected });
    expect([item]).toEqual(await source.listSessions());
  });

  it("needs of the envelopes those of seven kinds", async () => {
    const { records } = await recorded(false);
    const kinds = ["session", "run", "turn", "error", "tool", "input", "llm"];
    const envelopes = records.envelopes.filter(({ event }) => kinds.includes(classifyEvent(event.type).kind));
    expect(envelopes.length).toBeLessThan(records.envelopes.length);
    const now = Date.now();
    expect(describeSession({ ...records, envelopes }, now)).toEqual(describeSession(records, now));
  });

  it("says that what was begun is idle after five minutes", async () => {
    const { records } = await recorded(false);
    expect(describeSession(records, Date.now() + 301_000).status).toBe("idle");
  });

  it("knows no instant where no record does", () => {
    expect(describeSession({ ...KEY, log: [] })).toMatchObject({
      lastActive: "1970-01-01T00:00:00.000Z",
      status: "idle",
      turns: 0,
    });
  });
});
