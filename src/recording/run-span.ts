import type { RecordedInstant } from "../application/recording/recording.js";
import type { Message } from "../domain/conversation/message.js";
import type { JsonObject } from "../domain/json/json.js";
import type { TokenUsage } from "../domain/usage/token-usage.js";

/**
 * Kind of a span:
 * - `turn`: a prompt of a person, with all work on it.
 * - `agent`: one run of an agent.
 * - `model`: one call of a model.
 * - `tool`: one call of a tool.
 * - `compaction`: a context was made smaller.
 * - `other`: anything else, such as a step or a request.
 */
export type RunSpanKind = "agent" | "turn" | "model" | "tool" | "compaction" | "other";

/** Whose a span is. */
export interface SpanIdentity {
  /** Default is `"default"`. */
  readonly tenantId?: string | undefined;
  /** Default is that of the trace, then the trace's own id. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
}

/** Facts of a span; facts that are not available at its start may be added at its end. */
export interface RunSpanFacts extends SpanIdentity {
  readonly kind: RunSpanKind;
  /** Of the agent or the tool; else the span's. */
  readonly name: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Default is the span's id. */
  readonly toolCallId?: string | undefined;
  /** Input of a tool, an agent or a turn. */
  readonly input?: unknown;
  /** Context of a model call: the complete conversation, each time it is sent. */
  readonly messages?: readonly Message[] | undefined;
  /**
   * True if `messages` are only those that the call adds to the conversation, and `note` reports the rest of it. Default is that they are
   * the complete context of the model.
   */
  readonly addsMessages?: boolean | undefined;
  /** Of a model call: true if its context is a compacted view of the conversation. Absent means that nothing is reported about it. */
  readonly isCompacted?: boolean | undefined;
  /** Activity of a span of kind `other`, in one word of its convention, such as `plan`. */
  readonly operation?: string | undefined;
  /** Search text of a span of kind `other`, as in a memory. */
  readonly query?: string | undefined;
  /** Other facts; recorded for spans of kind `other`. */
  readonly attributes?: JsonObject | undefined;
  /** Further members of the event that begins it. */
  readonly startMembers?: JsonObject | undefined;
  /** Title of the session. Default is the first line of the prompt. */
  readonly title?: string | undefined;
}

/** An evaluator's judgement of a span's work. */
export interface SpanEvaluation {
  /** Of what was measured, such as `Relevance`. */
  readonly name: string;
  readonly score?: number | undefined;
  /** Meaning of the score in words. */
  readonly label?: string | undefined;
  readonly explanation?: string | undefined;
  /** Reason for a missing score. */
  readonly failure?: string | undefined;
  /** Instant of the evaluation: a `Date`, or milliseconds since the epoch. Default is the end of the span. */
  readonly at?: RecordedInstant | undefined;
}

/** A span of a framework: a run of an agent, or something that was done in it. */
export interface RunSpan extends RunSpanFacts {
  /** Another one than that of any span which is open or was lately. */
  readonly id: string;
  /** Id of the parent span, which may be reported later than its children, or never. */
  readonly parentId?: string | undefined;
  /** Id that all spans of one run share. Default is that of the parent. */
  readonly traceId?: string | undefined;
  /** When it started: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

/** Outcome of a span, and the facts that were not available before. */
export interface RunSpanResult extends Partial<RunSpanFacts> {
  /** When it ended. Default is now. */
  readonly at?: RecordedInstant | undefined;
  /** Output of a tool, an agent or a turn. */
  readonly output?: unknown;
  /** Answer of a model. */
  readonly answer?: readonly Message[] | undefined;
  /** Use as the span reports it. For nested spans, the innermost model calls count. */
  readonly usage?: Partial<TokenUsage> | undefined;
  /** Why a model stopped. `error` of an agent or a turn says that it failed, also without an `error`. */
  readonly stopReason?: string | undefined;
  /** Of a compaction: how large the context was before and after it. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly evaluations?: readonly SpanEvaluation[] | undefined;
  /** Other facts of an agent, a turn or a call, which its record has no field for: settings, for example. */
  readonly otherAttributes?: JsonObject | undefined;
  /** Further members of the event that ends it. */
  readonly endMembers?: JsonObject | undefined;
  /** Of an agent or a turn that ends until a person answers: the question, where it is recorded. */
  readonly waitsFor?: { readonly prompt?: string | undefined } | undefined;
  /** Why it failed, or was called off. */
  readonly error?: { readonly message: string; readonly type?: string | undefined } | undefined;
  /**
   * True if it was cancelled before it was done, which is not a failure. Default depends on the type of its error, such as `AbortError`.
   * A timeout is a failure.
   */
  readonly isCancelled?: boolean | undefined;
}

/**
 * The members of a span and of its result. Any other member is a mistake: with a misspelt `tenantId`, the span would be visible to another tenant.
 */
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
