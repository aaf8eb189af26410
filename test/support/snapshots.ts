import type { InspectorDataSource, RecordStream, TraceStream } from "../../src/index.js";

/** The trace of a session that the source has to know. */
export async function traceOf(
  source: InspectorDataSource,
  tenantId: string,
  sessionId: string,
): Promise<TraceStream> {
  return (await source.openSession!(tenantId, sessionId))!.trace();
}

/** The messages of a session that the source has to know; of a sub-agent, where one is named. */
export async function messagesOf(
  source: InspectorDataSource,
  tenantId: string,
  sessionId: string,
  agentId?: string,
): Promise<RecordStream> {
  return (await source.openSession!(tenantId, sessionId))!.messages(agentId);
}
