import type { InMemorySession } from "../../src/advanced.js";
import type { WorkflowTraceEventEnvelope } from "../../src/index.js";

const BEGIN = Date.UTC(2026, 2, 1, 9, 0, 0);

export function at(seconds: number): string {
  return new Date(BEGIN + seconds * 1_000).toISOString();
}

export function epochAt(seconds: number): number {
  return BEGIN + seconds * 1_000;
}

/** One second after the previous one. */
export function envelope(
  sequence: number,
  changes: Partial<WorkflowTraceEventEnvelope> = {},
): WorkflowTraceEventEnvelope {
  const { traceId = "t1" } = changes;
  return {
    id: `${traceId}-${sequence}`,
    timestamp: at(sequence),
    sequence,
    source: "runtime",
    sessionId: "s1",
    tenantId: "acme",
    traceId,
    event: { type: sequence === 0 ? "session.start" : "tool.start", toolCallId: `call-${sequence}` },
    ...changes,
  };
}

export function orchestrationEvent(number: number, fields: Record<string, unknown>): Record<string, unknown> {
  return { eventId: `event-${number}`, occurredAt: at(100 + number), runId: "run-1", ...fields };
}

/** Four sessions of three tenants; two have the same id. `acme/s1` has a bit of everything. */
export const SAMPLE: readonly InMemorySession[] = [
  {
    tenantId: "acme",
    sessionId: "s1",
    userId: "ada",
    agentId: "analyst",
    title: "Weekly Report",
    createdAt: epochAt(0),
    turns: [
      { inputTokens: 100, outputTokens: 20, cacheReadTokens: 3, cacheWriteTokens: 4, updatedAt: epochAt(50) },
      { inputTokens: 10, outputTokens: 2, updatedAt: epochAt(60) },
    ],
    envelopes: [envelope(0), envelope(1), envelope(2), envelope(3)],
    orchestrationEvents: [
      orchestrationEvent(1, { type: "agent_spawned", agent: { id: "a1", role: "researcher" } }),
      orchestrationEvent(2, {
        type: "agent_job_completed",
        agentId: "a1",
        job: { jobId: "j1", outputText: "Done.", tokens: 5 },
      }),
      orchestrationEvent(3, { type: "agent_closed", close: { agentId: "a1", reason: "done" } }),
    ],
    messages: [
      { role: "user", content: "What changed this week?" },
      { role: "assistant", content: [{ type: "text", text: "Grüße, 世界 🌍" }] },
      { role: "tool", content: [], extra: { nested: [1, 2, { deep: null }] } },
    ],
  },
  { tenantId: "beta", sessionId: "s1", userId: "ben", createdAt: epochAt(200), title: "Weekly Plan" },
  { tenantId: "acme", sessionId: "s2", userId: "ada", createdAt: epochAt(200) },
  { sessionId: "s3", createdAt: epochAt(20), messages: [{ role: "user", content: "hello" }] },
];
