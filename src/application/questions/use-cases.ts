import type { ExportSession } from "../export/export-session.js";
import type { ReviewExport } from "../export/review-export.js";
import type { CheckHealth } from "./check-health.js";
import type { CompareSessions } from "./compare-sessions.js";
import type { DescribeModel } from "./describe-model.js";
import type { ExplainLines } from "./explain-lines.js";
import type { GetCallContext } from "./get-call-context.js";
import type { GetMessageProvenance } from "./get-message-provenance.js";
import type { GetOverview } from "./get-overview.js";
import type { GetSessionMessages } from "./get-session-messages.js";
import type { GetSessionOrchestration } from "./get-session-orchestration.js";
import type { GetSessionTrace } from "./get-session-trace.js";
import type { ListSessions } from "./list-sessions.js";
import type { ListSources } from "./list-sources.js";
import type { SearchRecords } from "./search-records.js";
import type { SearchSessions } from "./search-sessions.js";
import type { SummarizeSession } from "./summarize-session.js";

/** The use cases of an inspector, or an embedder's replacements for them. */
export interface InspectorUseCases {
  readonly listSessions: Pick<ListSessions, "execute">;
  readonly getSessionTrace: Pick<GetSessionTrace, "execute">;
  readonly getSessionOrchestration: Pick<GetSessionOrchestration, "execute">;
  readonly getSessionMessages: Pick<GetSessionMessages, "execute">;
  readonly summarizeSession: Pick<SummarizeSession, "execute">;
  readonly compareSessions: Pick<CompareSessions, "execute">;
  readonly getCallContext: Pick<GetCallContext, "execute">;
  readonly getMessageProvenance: Pick<GetMessageProvenance, "execute">;
  readonly exportSession: Pick<ExportSession, "execute">;
  readonly reviewExport: Pick<ReviewExport, "execute">;
  readonly explainLines: Pick<ExplainLines, "execute">;
  readonly searchRecords: Pick<SearchRecords, "execute">;
  readonly searchSessions: Pick<SearchSessions, "execute">;
  readonly getOverview: Pick<GetOverview, "execute">;
  readonly listSources: Pick<ListSources, "execute">;
  readonly describeModel: Pick<DescribeModel, "execute">;
  readonly checkHealth: Pick<CheckHealth, "execute">;
}
