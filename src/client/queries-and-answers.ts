import type { AnswerOf, QueryOf } from "../application/questions/endpoints.js";

/** Filters of the session list, which narrow it together. */
export type SessionListQuery = QueryOf<"listSessions">;
export type SessionRecordsQuery = QueryOf<"getSessionTrace">;
export type SessionAgentsQuery = QueryOf<"getSessionOrchestration">;
/** Of a session, or of one of its sub-agents. */
export type SessionMessagesQuery = QueryOf<"getSessionMessages">;
/** One session. */
export type SessionOfTenant = QueryOf<"getSessionSummary">;
/** Of which sessions and days, and by what rows are made. */
export type OverviewQuery = QueryOf<"getOverview">;
/** A model, when it was called, and how large the call was: prices depend on all of it. */
export type ModelQuery = QueryOf<"describeModel">;
export type SourceListQuery = QueryOf<"listSources">;
/** Two sessions. */
export type CompareSessionsQuery = QueryOf<"compareSessions">;
/** A model call of a session. */
export type CallContextQuery = QueryOf<"getCallContext">;
/** Which part of a session is looked at. */
export type ReviewExportQuery = QueryOf<"reviewExport">;
/** As what kind of file a session leaves, and what of it stays. */
export type ExportSessionQuery = QueryOf<"exportSession">;
/** A message that a model call saw, as the call's context names it. */
export type MessageProvenanceQuery = QueryOf<"getMessageProvenance">;
/** Lines of a file, and in which sessions their writers are looked for. */
export type ExplainLinesQuery = QueryOf<"explainLines">;
/** What to look for, and where. */
export type SearchRecordsQuery = QueryOf<"searchRecords">;
export type SearchSessionsQuery = QueryOf<"searchSessions">;
/** A page of a list. Without `limit` a list comes whole. */
export type PageQuery = Pick<SessionListQuery, "limit" | "cursor">;
/** What a list of a session is asked for after an answer that is known. */
export type SinceQuery = Pick<SessionRecordsQuery, "since">;

/** Of an answer that can be asked for again: `ifNoneMatch` of the next request. */
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
/** What a session's tokens, money and time went into. */
export interface SessionSummaryAnswer extends AnswerOf<"getSessionSummary">, Tagged {}
/** Two sessions side by side, and where they part. */
export type SessionComparisonAnswer = AnswerOf<"compareSessions">;
export type CallContextAnswer = AnswerOf<"getCallContext">;
export type MessageProvenanceAnswer = AnswerOf<"getMessageProvenance">;
/** What may be secret or personal in a session. */
export type ExportReviewAnswer = AnswerOf<"reviewExport">;
export type LinesExplainedAnswer = AnswerOf<"explainLines">;
/** What a search has found so far. */
export type RecordSearchAnswer = AnswerOf<"searchRecords">;
/** In which sessions a search has found something so far. */
export type SessionSearchAnswer = AnswerOf<"searchSessions">;
/** Sessions and bytes, as far as the service knows. */
export type AnswerExtent = RecordSearchAnswer["total"];
/** What sessions cost and did, by rows, and in all. */
export type OverviewAnswer = AnswerOf<"getOverview">;
/** What a model costs, and how much it reads at most. */
export type ModelAnswer = AnswerOf<"describeModel">;
/** What is known of each source of histories, and what becomes of them. */
export type SourceListAnswer = AnswerOf<"listSources">;
export type HealthAnswer = AnswerOf<"checkHealth">;
