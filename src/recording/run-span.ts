import type { RecordedInstant } from "../application/recording/recording.js";
import type { Message } from "../domain/conversation/message.js";
import type { JsonObject } from "../domain/json/json.js";
import type { TokenUsage } from "../domain/session/session.js";

/**
 * - `turn`: what a person asked for, with all that was done for it. - `agent`: one run of an agent. - `model`: one call of a model.
 * - `tool`: one call of a tool. - `compaction`: a context was made smaller. - `other`: anything else, such as a step or a request.
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

/** What is known of a span; what is not known when it starts may be said when it ends. */
export interface RunSpanFacts extends SpanIdentity {
  readonly kind: RunSpanKind;
  /** Of the agent or the tool; else the span's. */
  readonly name: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Default is the span's id. */
  readonly toolCallId?: string | undefined;
  /** What a tool, an agent or a turn was given. */
  readonly input?: unknown;
  /** What a model was given: the whole conversation, as often as it is given. */
  readonly messages?: readonly Message[] | undefined;
  /**
   * Whether its messages are those alone that it adds to the conversation, and what was said in it is told by `note`. Default is that they
   * are all that the model was given.
   */
  readonly addsMessages?: boolean | undefined;
  /** Of a model call: whether what it was given is a compacted view of the conversation. What does not say so tells nothing of it. */
  readonly isCompacted?: boolean | undefined;
  /** What a span of kind `other` does, in one word of its convention, such as `plan`. */
  readonly operation?: string | undefined;
  /** What a span of kind `other` looks for, as in a memory. */
  readonly query?: string | undefined;
  /** What else is known; recorded of spans of kind `other`. */
  readonly attributes?: JsonObject | undefined;
  /** Further members of the event that begins it. */
  readonly startMembers?: JsonObject | undefined;
  /** Of the session. Default is the first line of what was asked. */
  readonly title?: string | undefined;
}

/** What an evaluator said of what a span did. */
export interface SpanEvaluation {
  /** Of what was measured, such as `Relevance`. */
  readonly name: string;
  readonly score?: number | undefined;
  /** What the score means in words. */
  readonly label?: string | undefined;
  readonly explanation?: string | undefined;
  /** Why there is no score. */
  readonly failure?: string | undefined;
  /** When it was said: a `Date`, or milliseconds since the epoch. Default is when the span ended. */
  readonly at?: RecordedInstant | undefined;
}

/** A span of a framework: a run of an agent, or something that was done in it. */
export interface RunSpan extends RunSpanFacts {
  /** Another one than that of any span which is open or was lately. */
  readonly id: string;
  /** It may be told later than its children, or never. */
  readonly parentId?: string | undefined;
  /** What all spans of one run share. Default is that of the parent. */
  readonly traceId?: string | undefined;
  /** When it started: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

/** How a span ended, and what was not known of it before. */
export interface RunSpanResult extends Partial<RunSpanFacts> {
  /** When it ended. Default is now. */
  readonly at?: RecordedInstant | undefined;
  /** What a tool, an agent or a turn gave. */
  readonly output?: unknown;
  /** What a model answered. */
  readonly answer?: readonly Message[] | undefined;
  /** As the span tells it: of spans around each other, the innermost model calls count. */
  readonly usage?: Partial<TokenUsage> | undefined;
  /** Why a model stopped. `error` of an agent or a turn says that it failed, also without an `error`. */
  readonly stopReason?: string | undefined;
  /** Of a compaction: how large the context was before and after it. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly evaluations?: readonly SpanEvaluation[] | undefined;
  /** What else is known of an agent, a turn or a call, and has no other place in what is recorded of it: settings, for example. */
  readonly otherAttributes?: JsonObject | undefined;
  /** Further members of the event that ends it. */
  readonly endMembers?: JsonObject | undefined;
  /** Of an agent or a turn that ends until a person answers: the question, where it is recorded. */
  readonly waitsFor?: { readonly prompt?: string | undefined } | undefined;
  /** Why it failed, or was called off. */
  readonly error?: { readonly message: string; readonly type?: string | undefined } | undefined;
  /**
   * Whether it was called off before it was done, which is no failure. Default is whether the type of its error says so, such as
   * `AbortError`. A limit of time is a failure.
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
