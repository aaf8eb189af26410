import { createFilesystemInspectorDataSource, createInMemoryInspectorDataSource } from "../src/advanced.js";
import type { InspectorDataSource, JsonObject, WorkflowTraceEventEnvelope } from "../src/index.js";
import { type ContractSession, describeInspectorDataSource } from "./contract/index.js";
import { temporaryFolder, writeSessions } from "./support/data-directory.js";

describeInspectorDataSource("FilesystemDataSource", async (sessions) => {
  const dataDir = await temporaryFolder();
  await writeSessions(dataDir, sessions);
  return createFilesystemInspectorDataSource(dataDir);
});

const inMemory = (sessions: readonly ContractSession[]) =>
  createInMemoryInspectorDataSource(
    sessions.map((session) => ({
      ...session,
      envelopes: parseAll<WorkflowTraceEventEnvelope>(session.envelopes),
      orchestrationEvents: parseAll<JsonObject>(session.orchestrationEvents),
      messages: parseAll<JsonObject>(session.messages),
    })),
  );

describeInspectorDataSource("MemoryDataSource", inMemory);

describeInspectorDataSource("A plain object with the five methods", (sessions): InspectorDataSource => {
  const source = inMemory(sessions);
  return {
    listSessions: () => source.listSessions(),
    loadTraceEnvelopes: (tenantId, sessionId) => source.loadTraceEnvelopes(tenantId, sessionId),
    loadOrchestrationEvents: (tenantId, sessionId) => source.loadOrchestrationEvents(tenantId, sessionId),
    loadOrchestrationState: (tenantId, sessionId) => source.loadOrchestrationState(tenantId, sessionId),
    loadMessages: (tenantId, sessionId) => source.loadMessages(tenantId, sessionId),
  };
});

function parseAll<T>(texts: readonly string[] = []): T[] {
  return texts.map((text) => JSON.parse(text) as T);
}
