import type { InspectorDataSource } from "../../src/index.js";

/** A source of which a test says what it needs; whatever else is asked of it is a mistake. */
export function handMadeSource(parts: Partial<InspectorDataSource>): InspectorDataSource {
  const unexpected = (method: string) => async () => {
    throw new Error(`${method} was not expected to be called`);
  };
  return {
    listSessions: unexpected("listSessions"),
    loadTraceEnvelopes: unexpected("loadTraceEnvelopes"),
    loadOrchestrationEvents: unexpected("loadOrchestrationEvents"),
    loadOrchestrationState: unexpected("loadOrchestrationState"),
    loadMessages: unexpected("loadMessages"),
    ...parts,
  };
}
