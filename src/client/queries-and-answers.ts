import type { AnswerOf, QueryOf } from "../application/questions/endpoints.js";

/** Filters of the session list, which narrow it together. */
export type SessionListQuery = QueryOf<"listSessions">;
export type SessionRecordsQuery = QueryOf<"getSessionTrace">;
export type SessionAgentsQuery = QueryOf<"getSessionOrchestration">;
export type SessionMessagesQuery = QueryOf<"getSessionMessages">;
export type SessionOfTenant = QueryOf<"getSessionSummary">;
export type OverviewQuery = QueryOf<"getOverview">;
export type ModelQuery = QueryOf<"describeModel">;
export type SourceListQuery = QueryOf<"listSources">;
export type CompareSessionsQuery = QueryOf<"compareSessions">;
export type CallContextQuery = QueryOf<"getCallContext">;
export type ReviewExportQuery = QueryOf<"reviewExport">;
export type ExportSessionQuery = QueryOf<"exportSession">;
export type MessageProvenanceQuery = QueryOf<"getMessageProvenance">;
export type ExplainLinesQuery = QueryOf<"explainLines">;
export type SearchRecordsQuery = QueryOf<"searchRecords">;
export type SearchSessionsQuery = QueryOf<"searchSessions">;
/** Without `limit` the list is complete. */
export type PageQuery = Pick<SessionListQuery, "limit" | "cursor">;
export type SinceQuery = Pick<SessionRecordsQuery, "since">;

export interface Tagged {
  /** The `ETag` header. Absent if the service cannot tell that the answer has changed. */
  readonly etag?: string;
}

export interface SessionListAnswer extends AnswerOf<"listSessions">, Tagged {}
/** Records that could not be read, or not as they are stored. */
export type AnswerWarning = NonNullable<SessionListAnswer["warnings"]>[number];
export interface TraceAnswer extends AnswerOf<"getSessionTrace">, Tagged {}
export interface OrchestrationAnswer extends AnswerOf<"getSessionOrchestration">, Tagged {}
export interface MessagesAnswer extends AnswerOf<"getSessionMessages">, Tagged {}
export interface SessionSummaryAnswer extends AnswerOf<"getSessionSummary">, Tagged {}
export type SessionComparisonAnswer = AnswerOf<"compareSessions">;
export type CallContextAnswer = AnswerOf<"getCallContext">;
export type MessageProvenanceAnswer = AnswerOf<"getMessageProvenance">;
export type ExportReviewAnswer = AnswerOf<"reviewExport">;
export type LinesExplainedAnswer = AnswerOf<"explainLines">;
export type RecordSearchAnswer = AnswerOf<"searchRecords">;
export type SessionSearchAnswer = AnswerOf<"searchSessions">;
export type AnswerExtent = RecordSearchAnswer["total"];
export type OverviewAnswer = AnswerOf<"getOverview">;
export type ModelAnswer = AnswerOf<"describeModel">;
export type SourceListAnswer = AnswerOf<"listSources">;
export type HealthAnswer = AnswerOf<"checkHealth">;
