import type { CheckHealth } from "./check-health.js";
import type { CompareSessions } from "./compare-sessions.js";
import type { GetCallContext } from "./get-call-context.js";
import type { GetMessageProvenance } from "./get-message-provenance.js";
import type { GetSessionMessages } from "./get-session-messages.js";
import type { GetSessionOrchestration } from "./get-session-orchestration.js";
import type { GetSessionTrace } from "./get-session-trace.js";
import type { ListSessions } from "./list-sessions.js";
import type { SearchRecords } from "./search-records.js";
import type { SummarizeSession } from "./summarize-session.js";

/** What can be asked of an inspector: the use cases, or what an embedder put in the place of one. */
export interface InspectorUseCases {
  readonly listSessions: Pick<ListSessions, "execute">;
  readonly getSessionTrace: Pick<GetSessionTrace, "execute">;
  readonly getSessionOrchestration: Pick<GetSessionOrchestration, "execute">;
  readonly getSessionMessages: Pick<GetSessionMessages, "execute">;
  readonly summarizeSession: Pick<SummarizeSession, "execute">;
  readonly compareSessions: Pick<CompareSessions, "execute">;
  readonly getCallContext: Pick<GetCallContext, "execute">;
  readonly getMessageProvenance: Pick<GetMessageProvenance, "execute">;
  readonly searchRecords: Pick<SearchRecords, "execute">;
  readonly checkHealth: Pick<CheckHealth, "execute">;
}
