import { createInMemoryInspectorDataSource, SessionRecorder } from "agent-inspector/advanced";
import { expect, it } from "vitest";

it("records an event with the clock's instant and id", async () => {
  const source = createInMemoryInspectorDataSource();
  let ids = 0;
  const clock = { now: () => Date.UTC(2026, 0, 15, 12), newId: () => `id-${++ids}` };
  const session = await new SessionRecorder(source.sessionStore, { clock }).open({ tenantId: "acme" });
  await session.startTrace().record({ type: "tool.start", toolCallId: "c1", toolName: "clock", input: {} });
  expect(await source.loadTraceEnvelopes("acme", session.sessionId)).toMatchObject([
    { timestamp: "2026-01-15T12:00:00.000Z", sequence: 0, event: { toolName: "clock" } },
  ]);
});
