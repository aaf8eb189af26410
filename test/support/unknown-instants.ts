import type { InspectorDataSource } from "../../src/index.js";

/** Writers' placeholders for a missing instant. Absent ones become the epoch in the list. */
const UNKNOWN = ["1970-01-01T00:00:00.000Z", 0, 1_767_502_875, "0001-01-01T00:00:00Z", undefined] as const;

export function sourceOfUnknownInstants(): InspectorDataSource {
  const session = (sessionId: string) => UNKNOWN[Number(sessionId.slice(1))];
  return {
    listSessions: async () =>
      UNKNOWN.map((at, i) => ({
        ...{ tenantId: "acme", sessionId: `s${i}`, userId: "ada", title: `Needle ${i}`, turns: 1, tokens: 0 },
        ...{ status: "idle" as const, createdAt: at as string, lastActive: at as string },
      })),
    loadTraceEnvelopes: async (tenantId, sessionId) =>
      [
        { type: "tool.start", toolCallId: "t", toolName: "Bash", input: { command: "needle" } },
        { type: "tool.end", toolCallId: "t", toolName: "Bash", isError: true, output: "It failed" },
      ].map((event, sequence) => ({
        ...{ id: `e${sequence}`, sequence, source: "runtime", sessionId, tenantId, traceId: "x", event },
        timestamp: session(sessionId) as string,
      })),
    loadOrchestrationEvents: async () => [],
    loadOrchestrationState: async () => null,
    loadMessages: async () => [{ role: "user", content: "a needle" }],
  };
}
