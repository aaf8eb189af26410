import type { AnswerOf, QueryOf } from "../application/questions/endpoints.js";

/** Filters of the session list, which narrow it together. */
export type SessionListQuery = QueryOf<"listSessions">;
export type SessionRecordsQuery = QueryOf<"getSessionTrace">;
export type SessionAgentsQuery = QueryOf<"getSessionOrchestration">;
/** Of a session, or of one of its sub-agents. */
export type SessionMessagesQuery = QueryOf<"getSessionMessages">;
/** One session. */
export type SessionOfTenant = QueryOf<"getSessionSummary">;
/** Sessions and days that the overview covers, and the dimensions of its rows. */
export type OverviewQuery = QueryOf<"getOverview">;
/** A model, when it was called, and how large the call was: prices depend on all of it. */
export type ModelQuery = QueryOf<"describeModel">;
export type SourceListQuery = QueryOf<"listSources">;
/** Two sessions. */
export type CompareSessionsQuery = QueryOf<"compareSessions">;
/** A model call of a session. */
export type CallContextQuery = QueryOf<"getCallContext">;
/** Part of a session to review. */
export type ReviewExportQuery = QueryOf<"reviewExport">;
/** As what kind of file a session leaves, and what of it stays. */
export type ExportSessionQuery = QueryOf<"exportSession">;
/** A message that a model call saw, as the call's context names it. */
export type MessageProvenanceQuery = QueryOf<"getMessageProvenance">;
/** Lines of a file, and the sessions that are searched for their writers. */
export type ExplainLinesQuery = QueryOf<"explainLines">;
/** Text to search for, and the range to search. */
export type SearchRecordsQuery = QueryOf<"searchRecords">;
export type SearchSessionsQuery = QueryOf<"searchSessions">;
/** A page of a list. Without `limit` the list is complete. */
export type PageQuery = Pick<SessionListQuery, "limit" | "cursor">;
/** Requests the part of a session's list that follows a previous answer. */
export type SinceQuery = Pick<SessionRecordsQuery, "since">;

/** Entity tag of an answer: `ifNoneMatch` of the next request. */
export interface Tagged {
  /** The `ETag` header. Absent where the service cannot tell whether the answer has changed. */
  readonly etag?: string;
}

export interface SessionListAnswer extends AnswerOf<"listSessions">, Tagged {}
/** Records that could not be read, or not as they are stored. */
export type AnswerWarning = NonNullable<SessionListAnswer["warnings"]>[number];
export interface TraceAnswer extends AnswerOf<"getSessionTrace">, Tagged {}
export interface OrchestrationAnswer extends AnswerOf<"getSessionOrchestration">, Tagged {}
export interface MessagesAnswer extends AnswerOf<"getSessionMessages">, Tagged {}
/** Tokens, money and time that a session spent, and their purposes. */
export interface SessionSummaryAnswer extends AnswerOf<"getSessionSummary">, Tagged {}
/** Two sessions side by side, and where they part. */
export type SessionComparisonAnswer = AnswerOf<"compareSessions">;
export type CallContextAnswer = AnswerOf<"getCallContext">;
export type MessageProvenanceAnswer = AnswerOf<"getMessageProvenance">;
/** Possible secrets and personal data in a session. */
export type ExportReviewAnswer = AnswerOf<"reviewExport">;
export type LinesExplainedAnswer = AnswerOf<"explainLines">;
/** The matches of a search so far. */
export type RecordSearchAnswer = AnswerOf<"searchRecords">;
/** The sessions that match a search so far. */
export type SessionSearchAnswer = AnswerOf<"searchSessions">;
/** Sessions and bytes, as far as the service knows. */
export type AnswerExtent = RecordSearchAnswer["total"];
/** Costs and activity of sessions, by rows and in total. */
export type OverviewAnswer = AnswerOf<"getOverview">;
/** Price of a model, and its maximum context length. */
export type ModelAnswer = AnswerOf<"describeModel">;
/** Description of each source of histories, and its retention. */
export type SourceListAnswer = AnswerOf<"listSources">;
export type HealthAnswer = AnswerOf<"checkHealth">;
