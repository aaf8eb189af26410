import {
  createInMemoryInspectorDataSource,
  createInspectorContainer,
  createInspectorRoute,
  recordsOf,
  replayOrchestration,
  TOKENS,
} from "agent-inspector/advanced";
import { expect, it } from "vitest";

const source = createInMemoryInspectorDataSource([
  {
    tenantId: "acme",
    sessionId: "s1",
    title: "Weekly report",
    envelopes: [
      {
        id: "e2",
        timestamp: "2026-01-15T12:00:02.000Z",
        sequence: 1,
        source: "runtime",
        tenantId: "acme",
        sessionId: "s1",
        traceId: "t1",
        event: { type: "turn.end", turnIndex: 0, outcome: "completed" },
      },
      {
        id: "e1",
        timestamp: "2026-01-15T12:00:01.000Z",
        sequence: 0,
        source: "runtime",
        tenantId: "acme",
        sessionId: "s1",
        traceId: "t1",
        event: { type: "turn.start", turnIndex: 0 },
      },
    ],
    orchestrationEvents: [
      {
        type: "agent_spawned",
        eventId: "o1",
        occurredAt: "2026-01-15T12:00:01.500Z",
        agent: { id: "a1", role: "reviewer" },
      },
    ],
  },
  { tenantId: "globex", sessionId: "s2", title: "Invoices" },
]);

it("orders a trace: envelopes by their sequence, then what sub-agents did, numbered on", async () => {
  const getSessionTrace = createInspectorContainer(source).resolve(TOKENS.getSessionTrace);
  const list = await getSessionTrace.execute({ tenantId: "acme", sessionId: "s1" });
  expect(await recordsOf(list)).toMatchObject([
    { sequence: 0, source: "runtime", event: { type: "turn.start" } },
    { sequence: 1, source: "runtime", event: { type: "turn.end" } },
    { sequence: 2, source: "orchestration", event: { type: "agent_spawned" } },
  ]);
});

it("lists what the caller may see, and nothing else", async () => {
  const listSessions = createInspectorContainer(source).resolve(TOKENS.listSessions);
  const list = await listSessions.execute({ tenants: ["acme"] });
  expect(await recordsOf(list)).toMatchObject([{ tenantId: "acme", title: "Weekly report" }]);
});

it("answers with the part that was put in the place of another, without a server", async () => {
  const container = createInspectorContainer(source);
  container.register(TOKENS.checkHealth, { useValue: { execute: () => ({ status: "ok", of: "a test" }) } });
  const response = await createInspectorRoute(container).request("/health");
  expect(await response.json()).toEqual({ status: "ok", of: "a test" });
});

it("replays sub-agents: a pure function needs no source", () => {
  const events = [
    { type: "agent_spawned", eventId: "o1", occurredAt: "2026-01-15T12:00:00.000Z", agent: { id: "a1" } },
    { type: "agent_closed", eventId: "o2", occurredAt: "2026-01-15T12:00:09.000Z", agentId: "a1" },
  ];
  expect(replayOrchestration(null, events.slice(0, 1)).agents.a1?.status).toBe("idle");
  expect(replayOrchestration(null, events).agents.a1?.status).toBe("closed");
});
