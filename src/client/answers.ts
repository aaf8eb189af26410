import type { SessionComparison } from "../domain/analysis/session-comparison.js";
import type { SessionSummary } from "../domain/analysis/session-summary.js";
import type { CallContext } from "../domain/conversation/call-context.js";
import type { MessageProvenance } from "../domain/conversation/context-history.js";
import type { Message } from "../domain/conversation/message.js";
import type { OrchestrationAgent } from "../domain/orchestration/orchestration.js";
import type { SearchHit } from "../domain/search/search-hit.js";
import type { InspectorSessionItem } from "../domain/session/session.js";
import type { WorkflowTraceEventEnvelope } from "../domain/trace/trace-envelope.js";

/** Of an answer that can be asked for again: `ifNoneMatch` of the next request. */
interface Tagged {
  /** The `ETag` header. Absent where the service cannot tell whether the answer has changed. */
  readonly etag?: string;
}

interface Page {
  /** Of an answer to a request with `limit`: the `cursor` of the next page, `null` behind the last one. */
  readonly nextCursor?: string | null;
}

/** Of an answer to a request with `since`. */
interface Growth {
  /** How many of the records that were known begin the list. */
  readonly from?: number;
  /** The `since` of the next request. */
  readonly syncToken?: string | null;
}

/** Records that could not be read, or not as they are stored. */
export interface AnswerWarning {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

interface Warned {
  readonly warnings?: readonly AnswerWarning[];
}

export interface SessionListAnswer extends Tagged, Page, Warned {
  readonly sessions: readonly InspectorSessionItem[];
  /** Of a page: how many sessions the tenants have, and how many of them were not read yet; where the service knows. */
  readonly total?: number;
  readonly unread?: number;
}

export interface TraceAnswer extends Tagged, Page, Growth, Warned {
  readonly envelopes: readonly WorkflowTraceEventEnvelope[];
  /** Envelopes that are known and not sent again: where they lay, where they lie now, and the `sequence` of the first one. */
  readonly moved?: {
    readonly from: number;
    readonly count: number;
    readonly to: number;
    readonly sequence: number;
  };
}

export interface OrchestrationAnswer extends Tagged, Growth, Warned {
  readonly agents: readonly OrchestrationAgent[];
}

export interface MessagesAnswer extends Tagged, Page, Growth, Warned {
  readonly messages: readonly Message[];
}

export type CallContextAnswer = CallContext;

export type MessageProvenanceAnswer = MessageProvenance;

/** Sessions and bytes, as far as the service knows. */
export interface AnswerExtent {
  readonly sessions?: number;
  readonly bytes?: number;
}

/** What a session's tokens, money and time went into. */
export interface SessionSummaryAnswer extends SessionSummary, Tagged {}

/** Two sessions side by side, and where they part. */
export interface SessionComparisonAnswer extends SessionComparison {}

/** What a search has found so far. */
export interface RecordSearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly searched: AnswerExtent;
  readonly total: AnswerExtent;
  /** What could not be looked at, in sentences. */
  readonly notes?: readonly string[];
  /** Where to go on; `null` where everything was searched. */
  readonly nextCursor: string | null;
}

export interface HealthAnswer {
  readonly status: "ok";
}
