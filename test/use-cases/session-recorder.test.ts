import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource, RecordingError, SessionRecorder } from "../../src/advanced.js";
import type { SessionStore } from "../../src/index.js";

const NOON = Date.UTC(2026, 0, 15, 12);

function recorded() {
  const source = createInMemoryInspectorDataSource();
  let ids = 0;
  let seconds = 0;
  const clock = { now: () => NOON + 1_000 * seconds++, newId: () => `id-${ids++}` };
  return { source, recorder: new SessionRecorder(source.sessionStore, { clock }) };
}

describe("SessionRecorder", () => {
  it("gives each event its id, instant, sequence and trace", async () => {
    const { source, recorder } = recorded();
    const session = await recorder.open({ tenantId: "acme" });
    const main = session.startTrace("main");
    const sub = session.startTrace("sub");
    await main.record({ type: "turn.start", turnIndex: 0 });
    await sub.record({ type: "turn.start", turnIndex: 0, agentId: "a1" });
    await main.record({ type: "vendor.event", anything: [1] });
    const envelopes = await source.loadTraceEnvelopes("acme", session.sessionId);
    expect(envelopes.map(({ traceId, sequence }) => `${traceId} ${sequence}`)).toEqual([
      "main 0",
      "sub 0",
      "main 1",
    ]);
    expect(envelopes[2]).toMatchObject({ source: "runtime", tenantId: "acme", event: { anything: [1] } });
    expect(new Set(envelopes.map(({ id }) => id)).size).toBe(3);
    expect(envelopes[0]?.timestamp).toBe("2026-01-15T12:00:01.000Z");
  });

  it("opens a new session of the default tenant, with a UUID, by default", async () => {
    const session = await new SessionRecorder(createInMemoryInspectorDataSource().sessionStore).open();
    expect(session.tenantId).toBe("default");
    expect(session.sessionId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it("counts turns and tokens, and goes on counting when a session is opened again", async () => {
    const { source, recorder } = recorded();
    const session = await recorder.open({ sessionId: "s1", userId: "ada" });
    await session.recordTurn({ inputTokens: 10, cacheReadTokens: 5 });
    await session.recordTurn();
    expect((await recorder.open({ sessionId: "s1" })).turns).toBe(2);
    expect(await source.listSessions()).toMatchObject([{ userId: "ada", turns: 2, tokens: 15 }]);
  });

  it("gives orchestration events an id and an instant, unless they have their own", async () => {
    const { source, recorder } = recorded();
    const session = await recorder.open({ sessionId: "s1" });
    await session.recordOrchestration({ type: "agent_spawned", agent: { id: "a1" } });
    await session.recordOrchestration({ type: "agent_closed", close: { agentId: "a1" }, eventId: "mine" });
    expect(await source.loadOrchestrationEvents("default", "s1")).toMatchObject([
      { eventId: expect.stringMatching(/^id-/), occurredAt: expect.stringMatching(/Z$/) },
      { eventId: "mine" },
    ]);
  });

  it("reports what the store could not do, with the reason as the cause", async () => {
    const cause = new Error("disk full");
    const broken = {
      openSession: async () => Promise.reject(cause),
    } as Partial<SessionStore> as SessionStore;
    await expect(new SessionRecorder(broken).open()).rejects.toMatchObject({ name: "RecordingError", cause });
  });

  it("refuses ids that cannot be names", async () => {
    const { recorder } = recorded();
    await expect(recorder.open({ tenantId: "a/b" })).rejects.toBeInstanceOf(RecordingError);
    await expect(recorder.open({ sessionId: ".." })).rejects.toThrow("sessionId");
  });
});
