import type { RecordedInstant } from "../application/recording/recording.js";
import type { Message } from "../domain/conversation/message.js";
import type { JsonObject } from "../domain/json/json.js";
import type { TokenUsage } from "../domain/usage/token-usage.js";

/**
 * - `turn`: a person's prompt, with all work on it.
 * - `compaction`: a context was made smaller.
 * - `other`: anything else, such as a step or a request.
 */
export type RunSpanKind = "agent" | "turn" | "model" | "tool" | "compaction" | "other";

export interface SpanIdentity {
  /** Default is `"default"`. */
  readonly tenantId?: string | undefined;
  /** Default is the session of the trace, then the trace's own id. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
}

/** Facts that are not available at the start of a span may be added at its end. */
export interface RunSpanFacts extends SpanIdentity {
  readonly kind: RunSpanKind;
  /** Of the agent or the tool; else the span's. */
  readonly name: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Default is the span's id. */
  readonly toolCallId?: string | undefined;
  readonly input?: unknown;
  /** Context of a model call: the complete conversation each time. */
  readonly messages?: readonly Message[] | undefined;
  /** True if `messages` are only those that the call adds, and `note` reports the rest. Default is the complete context. */
  readonly addsMessages?: boolean | undefined;
  /** True if the context of a model call is a compacted view of the conversation. Absent if that is not reported. */
  readonly isCompacted?: boolean | undefined;
  /** Of kind `other`: one word of its convention, such as `plan`. */
  readonly operation?: string | undefined;
  /** Of kind `other`: search text, as in a memory. */
  readonly query?: string | undefined;
  /** Recorded for spans of kind `other`. */
  readonly attributes?: JsonObject | undefined;
  /** Further members of the span's first event. */
  readonly startMembers?: JsonObject | undefined;
  /** Default is the first line of the prompt. */
  readonly title?: string | undefined;
}

export interface SpanEvaluation {
  readonly name: string;
  readonly score?: number | undefined;
  readonly label?: string | undefined;
  readonly explanation?: string | undefined;
  readonly failure?: string | undefined;
  /** A `Date`, or milliseconds since the epoch. Default is the end of the span. */
  readonly at?: RecordedInstant | undefined;
}

export interface RunSpan extends RunSpanFacts {
  /** Unique among open and recent spans. */
  readonly id: string;
  /** The parent may be reported later than its children, or never. */
  readonly parentId?: string | undefined;
  /** All spans of one run share it. Default is the parent's. */
  readonly traceId?: string | undefined;
  /** Start: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

export interface RunSpanResult extends Partial<RunSpanFacts> {
  /** End. Default is now. */
  readonly at?: RecordedInstant | undefined;
  readonly output?: unknown;
  readonly answer?: readonly Message[] | undefined;
  /** For nested spans, only the innermost model calls count. */
  readonly usage?: Partial<TokenUsage> | undefined;
  /** `error` marks an agent or a turn as failed, also without an `error` member. */
  readonly stopReason?: string | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly evaluations?: readonly SpanEvaluation[] | undefined;
  /** Facts without a field in the record of an agent, a turn or a call, such as settings. */
  readonly otherAttributes?: JsonObject | undefined;
  /** Further members of the span's last event. */
  readonly endMembers?: JsonObject | undefined;
  /** Of an agent or a turn that ends until a person answers. */
  readonly waitsFor?: { readonly prompt?: string | undefined } | undefined;
  readonly error?: { readonly message: string; readonly type?: string | undefined } | undefined;
  /** A cancellation is not a failure; a timeout is. Default depends on the type of the error, such as `AbortError`. */
  readonly isCancelled?: boolean | undefined;
}

/** Any other member is a mistake: with a misspelt `tenantId`, the span would be visible to another tenant. */
export const SPAN_MEMBERS = {
  id: true,
  parentId: true,
  traceId: true,
  at: true,
  tenantId: true,
  sessionId: true,
  userId: true,
  kind: true,
  name: true,
  model: true,
  provider: true,
  toolCallId: true,
  input: true,
  messages: true,
  addsMessages: true,
  isCompacted: true,
  operation: true,
  query: true,
  attributes: true,
  startMembers: true,
  title: true,
  output: true,
  answer: true,
  usage: true,
  stopReason: true,
  tokensBefore: true,
  tokensAfter: true,
  evaluations: true,
  waitsFor: true,
  otherAttributes: true,
  endMembers: true,
  error: true,
  isCancelled: true,
} satisfies Record<keyof (RunSpan & RunSpanResult), true>;
