import type { QueryOf } from "../application/questions/endpoints.js";

/** Filters of the session list, which narrow it together. */
export type SessionListQuery = QueryOf<"listSessions">;
export type SessionRecordsQuery = QueryOf<"getSessionTrace">;
export type SessionAgentsQuery = QueryOf<"getSessionOrchestration">;
/** Of a session, or of one of its sub-agents. */
export type SessionMessagesQuery = QueryOf<"getSessionMessages">;
/** One session. */
export type SessionOfTenant = QueryOf<"getSessionSummary">;
/** Two sessions. */
export type CompareSessionsQuery = QueryOf<"compareSessions">;
export type CallContextQuery = QueryOf<"getCallContext">;
/** A message that a model call saw, as the call's context names it. */
export type MessageProvenanceQuery = QueryOf<"getMessageProvenance">;
/** What to look for, and where. */
export type SearchRecordsQuery = QueryOf<"searchRecords">;
/** A page of a list. Without `limit` a list comes whole. */
export type PageQuery = Pick<SessionListQuery, "limit" | "cursor">;
/** What a list of a session is asked for after an answer that is known. */
export type SinceQuery = Pick<SessionRecordsQuery, "since">;
