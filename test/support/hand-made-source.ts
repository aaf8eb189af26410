import { streamOf } from "../../src/advanced.js";
import type { InspectorDataSource, SessionSnapshot } from "../../src/index.js";

const unexpected = (method: string) => async (): Promise<never> => {
  throw new Error(`${method} was not expected to be called`);
};

/** A call of any other member fails the test. */
export function handMadeSource(parts: Partial<InspectorDataSource>): InspectorDataSource {
  return {
    listSessions: unexpected("listSessions"),
    loadTraceEnvelopes: unexpected("loadTraceEnvelopes"),
    loadOrchestrationEvents: unexpected("loadOrchestrationEvents"),
    loadOrchestrationState: unexpected("loadOrchestrationState"),
    loadMessages: unexpected("loadMessages"),
    ...parts,
  };
}

export function handMadeSnapshot(parts: Partial<SessionSnapshot>): SessionSnapshot {
  return {
    revision: undefined,
    trace: unexpected("trace"),
    messages: unexpected("messages"),
    orchestration: unexpected("orchestration"),
    ...parts,
  };
}

export const NO_ORCHESTRATION: SessionSnapshot["orchestration"] = async () => ({
  events: streamOf([]),
  state: async () => null,
});
