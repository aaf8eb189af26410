import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import type { Message } from "../../domain/conversation/message.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import type { OrchestrationAgent } from "../../domain/trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { RecordWarning } from "../ports/record-stream.js";

interface Page {
  /** In an answer to a request with `limit`: the `cursor` of the next page, `null` after the last one. */
  readonly nextCursor?: string | null;
}

/** Of an answer to a request with `since`. */
interface Growth {
  /** Number of earlier records that begin the list. */
  readonly from?: number;
  /** The `since` of the next request. */
  readonly syncToken?: string | null;
}

interface Warned {
  readonly warnings?: readonly RecordWarning[];
}

/** A list as a document, by the name of its schema in `docs/openapi.yaml`. */
export interface SessionList extends Page, Warned {
  readonly sessions: readonly InspectorSessionItem[];
  /** Of a page: how many sessions the tenants have, and how many of them were not read yet; where the service knows. */
  readonly total?: number;
  readonly unread?: number;
  /** For a list with a `filter`: number of sessions that were omitted because their match is undecided. Absent without such sessions. */
  readonly undecided?: number;
}

export interface TraceEnvelopeList extends Page, Growth, Warned {
  readonly envelopes: readonly WorkflowTraceEventEnvelope[];
  /** Envelopes that the client has and that are not sent again: their old and new positions, and the `sequence` of the first one. */
  readonly moved?: {
    readonly from: number;
    readonly count: number;
    readonly to: number;
    readonly sequence: number;
  };
}

export interface AgentList extends Growth, Warned {
  readonly agents: readonly OrchestrationAgent[];
}

export interface MessageList extends Page, Growth, Warned {
  readonly messages: readonly Message[];
  /** Positions of model calls among these messages, and the removals. Absent if the source does not provide them. */
  readonly outline?: ConversationOutline;
}
