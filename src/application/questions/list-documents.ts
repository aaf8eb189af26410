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

interface Growth {
  readonly from?: number;
  readonly syncToken?: string | null;
}

interface Warned {
  readonly warnings?: readonly RecordWarning[];
}

/** Lists as documents, by the names of their schemas in `docs/openapi.yaml`. */
export interface SessionList extends Page, Warned {
  readonly sessions: readonly InspectorSessionItem[];
  /** Of a page: numbers of the tenants' sessions and of the unread ones. Absent if the service does not know. */
  readonly total?: number;
  readonly unread?: number;
  /** For a list with a `filter`: number of omitted sessions with an undecided match. Absent without such sessions. */
  readonly undecided?: number;
}

export interface TraceEnvelopeList extends Page, Growth, Warned {
  readonly envelopes: readonly WorkflowTraceEventEnvelope[];
  /** Envelopes that the client has: their old and new positions, and the `sequence` of the first one. */
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
  readonly outline?: ConversationOutline;
}
