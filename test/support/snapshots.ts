import type { InspectorDataSource, RecordStream, TraceStream } from "../../src/index.js";

export async function traceOf(
  source: InspectorDataSource,
  tenantId: string,
  sessionId: string,
): Promise<TraceStream> {
  return (await source.openSession!(tenantId, sessionId))!.trace();
}

export async function messagesOf(
  source: InspectorDataSource,
  tenantId: string,
  sessionId: string,
  agentId?: string,
): Promise<RecordStream> {
  return (await source.openSession!(tenantId, sessionId))!.messages(agentId);
}
