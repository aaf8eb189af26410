import { beforeAll, describe, expect, it } from "vitest";
import { MemoryDataSource } from "../adapters/memory/memory-data-source.js";
import { MemorySessionStore } from "../adapters/memory/memory-session-store.js";
import { MemoryState } from "../adapters/memory/memory-state.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { SessionRecorder } from "../application/recording/session-recorder.js";
import { asDataSource } from "../application/sources/lift.js";
import { classifyEvent } from "../domain/dialects/event-kinds.js";
import { runToEnd } from "../domain/lists/run-to-end.js";
import type { InspectorSessionItem } from "../domain/session/session.js";
import { listAgents } from "../domain/trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../domain/trace/trace-envelope.js";
import { writeDemo } from "./write-demo.js";

const NOW = Date.parse("2026-06-01T12:00:00.000Z");

async function demoAt(now: number): Promise<InspectorDataSource> {
  const state = new MemoryState();
  const store = new MemorySessionStore(state);
  await writeDemo((clock) => new SessionRecorder(store, { clock }), now);
  return asDataSource(new MemoryDataSource(state, () => now));
}

let source: InspectorDataSource;
let sessions: readonly InspectorSessionItem[];

beforeAll(async () => {
  source = await demoAt(NOW);
  sessions = await source.listSessions();
});

function find(title: string): InspectorSessionItem {
  const match = sessions.find((session) => session.title?.startsWith(title));
  if (match === undefined) throw new Error(`The demo has no session "${title}".`);
  return match;
}

function traceOf({ tenantId, sessionId }: InspectorSessionItem): Promise<WorkflowTraceEventEnvelope[]> {
  return source.loadTraceEnvelopes(tenantId, sessionId);
}

async function agentsOf({ tenantId, sessionId }: InspectorSessionItem) {
  const state = await source.loadOrchestrationState(tenantId, sessionId);
  const events = await source.loadOrchestrationEvents(tenantId, sessionId);
  return state === null ? [] : runToEnd(listAgents(state.snapshot, events));
}

describe("the demo", () => {
  it("has two dozen sessions of five tenants, with all three statuses", () => {
    expect(sessions.length).toBeGreaterThanOrEqual(24);
    expect(new Set(sessions.map((session) => session.tenantId)).size).toBe(5);
    expect(new Set(sessions.map((session) => session.status))).toEqual(
      new Set(["idle", "running", "waiting", "error"]),
    );
  });

  it("happened before now, within the last eight days", () => {
    for (const { createdAt, lastActive } of sessions) {
      expect(Date.parse(lastActive)).toBeLessThanOrEqual(NOW);
      expect(Date.parse(createdAt ?? "")).toBeGreaterThan(NOW - 8 * 86_400_000);
    }
  });

  it("is the same at another time, but for its instants", async () => {
    const later = await demoAt(NOW + 3_600_000);
    const withoutInstants = (value: unknown) =>
      JSON.stringify(value).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
    for (const session of sessions) {
      const again = await later.loadTraceEnvelopes(session.tenantId, session.sessionId);
      expect(withoutInstants(again)).toBe(withoutInstants(await traceOf(session)));
    }
  });

  it("uses one session id in two tenants", () => {
    const keys = sessions.map((session) => session.sessionId);
    expect(keys.length - new Set(keys).size).toBe(1);
  });

  it("ends every tool call and model call of a session that is over", async () => {
    for (const session of sessions.filter(({ status }) => status !== "running")) {
      const open = new Set<unknown>();
      for (const { event } of await traceOf(session)) {
        const { kind, phase } = classifyEvent(event.type);
        if (kind !== "tool" && kind !== "llm") continue;
        const key = event.toolCallId ?? event.callId;
        if (phase === "start") open.add(key);
        else expect(open.delete(key)).toBe(true);
      }
      expect([...open]).toEqual([]);
    }
  });

  it("counts as tokens of a session what its models reported", async () => {
    const session = find("Are heat pumps");
    const usages = (await traceOf(session)).map(({ event }) => Object.values(event.usage ?? {}));
    expect(session.tokens).toBe(usages.flat().reduce<number>((sum, tokens) => sum + Number(tokens), 0));
  });

  it("lets sub-agents work at the same time, in one another, in vain and on", async () => {
    const agents = await agentsOf(find("Are heat pumps"));
    const outcomes = Object.fromEntries(agents.map((agent) => [agent.agentId, agent.lastJob?.outcome]));
    expect(outcomes).toMatchObject({ "agent-costs": "completed", "agent-owners": "timed_out" });
    expect(agents.filter((agent) => agent.parentAgentId === "agent-efficiency")).toHaveLength(2);
    expect(new Set(agents.slice(0, 3).map((agent) => agent.createdAt)).size).toBe(1);
    const running = await agentsOf(find("Compare vector databases"));
    expect(running.map((agent) => agent.status).sort()).toEqual(["closed", "running", "running"]);
    const reviewers = await agentsOf(find("Review pull request"));
    expect(reviewers.map((agent) => agent.lastJob?.outcome)).toEqual(
      expect.arrayContaining(["failed", "cancelled"]),
    );
  });

  it("has a long session whose context grows, and drops at its compaction", async () => {
    const session = find("Migrate the backend");
    const trace = await traceOf(session);
    expect(trace.length).toBeGreaterThan(300);
    const compaction = trace.find(({ event }) => event.type === "compaction.end")?.event;
    expect(Number(compaction?.tokensAfter)).toBeLessThan(Number(compaction?.tokensBefore) / 4);
    const messages = await source.loadMessages(session.tenantId, session.sessionId);
    expect(messages[0]?.content).toMatch(/^\[Summary of the conversation so far\]/);
  });

  it("waits for input in one session", async () => {
    const session = find("Cancel the enterprise contract");
    expect(session).toMatchObject({
      status: "waiting",
      waitingFor: expect.stringMatching(/Cancel now anyway\?$/),
    });
    expect((await traceOf(session)).at(-1)?.event.type).toBe("input.waiting");
  });

  it("has an event of an unknown type", async () => {
    const types = (await traceOf(find("Generate release notes"))).map(({ event }) => event.type);
    expect(types.filter((type) => classifyEvent(type).kind === "unknown")).toEqual([
      "acme.retry.scheduled",
      "acme.retry.scheduled",
    ]);
  });
});
