import { isJsonObject, type JsonObject, labelField, labelOf, present } from "../../domain/json/json.js";
import type { SpanEvaluation } from "../../recording/run-span.js";
import { FACTS, type Fact } from "./fact-spellings.js";
import { COMPACTED, type DialectKind } from "./kind-spellings.js";
import { addsMessages, isPlainText } from "./own-attributes.js";
import type { RecordedSpan } from "./recorded-span.js";
import { evaluationsOf } from "./span-evaluations.js";
import { type SpanMessages, spanMessages } from "./span-messages.js";
import { hasFailed, isTrue, parsed, spanOutline, textIn } from "./span-outline.js";
import { type SpanUsage, spanUsage } from "./span-usage.js";

/** What a span says, whichever convention it follows. What it does not say is absent. */
export interface SpanMeaning {
  readonly kind: DialectKind;
  /** Of the tool or the agent; else the span's. */
  readonly name: string;
  readonly model?: string;
  readonly provider?: string;
  readonly toolCallId?: string;
  readonly agentId?: string;
  readonly stopReason?: string;
  /** What a tool, an agent or a turn was given; parsed where it is JSON. */
  readonly input?: unknown;
  readonly output?: unknown;
  /** Of what is no agent and no call: what it does, in a word of its convention. */
  readonly operation?: string;
  /** What it looks for. */
  readonly query?: string;
  /** Of model calls. */
  readonly messages?: SpanMessages;
  /** Whether a model call was given a compacted view of its conversation; absent where nothing says so. */
  readonly isCompacted?: boolean;
  /** Of a compaction. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly evaluations?: readonly SpanEvaluation[];
  /** As this span tells it: spans around it often repeat it. */
  readonly usage?: SpanUsage;
  readonly error?: SpanError;
  readonly sessionId?: string;
  readonly tenantId?: string;
  readonly userId?: string;
}

export interface SpanError {
  readonly type?: string;
  readonly message: string;
}

/**
 * What a span means. It looks at this span alone, so that it can be asked for one that has begun and not ended.
 *
 * @example
 * spanMeaning(span) // { kind: "tool", name: "Read", toolCallId: "t1", input: { path: "a.ts" }, error: { message: "not found" } }
 */
export function spanMeaning(span: RecordedSpan): SpanMeaning {
  const { kind, sessionId, userId, namedTenantId, serviceName } = spanOutline(span);
  const usage = kind === "tool" ? undefined : spanUsage(span.attributes);
  const messages = kind === "model" || addsToAgent(span, kind) ? spanMessages(span) : undefined;
  const known = present({
    model: textOf(span, "model"),
    provider: textOf(span, "provider"),
    toolCallId: kind === "tool" ? textOf(span, "toolCallId") : undefined,
    agentId: textOf(span, "agentId"),
    stopReason: stopReasonOf(span),
    ...exchangeOf(span, kind),
    ...stepOf(span, kind),
    messages,
    isCompacted: kind === "model" && isCompacted(span) ? true : undefined,
    evaluations: evaluationsOf(span),
    usage,
    error: errorOf(span),
    sessionId,
    tenantId: namedTenantId ?? serviceName,
    userId,
  });
  return { kind, name: nameOf(span, kind), ...known };
}

/** What was said that no model call of it was given. Its other attributes may repeat what its calls say. */
function addsToAgent({ attributes }: RecordedSpan, kind: DialectKind): boolean {
  return kind === "agent" && addsMessages(attributes) && attributes["gen_ai.input.messages"] !== undefined;
}

function nameOf(span: RecordedSpan, kind: DialectKind): string {
  const fact = kind === "tool" ? "toolName" : kind === "agent" ? "agentName" : undefined;
  return (fact === undefined ? undefined : textOf(span, fact)) ?? span.name;
}

function exchangeOf({ attributes }: RecordedSpan, kind: DialectKind): { input?: unknown; output?: unknown } {
  if (kind === "tool")
    return { input: valueIn(attributes, "toolInput"), output: valueIn(attributes, "toolOutput") };
  if (kind === "model") return {};
  return { input: valueIn(attributes, "prompt"), output: valueIn(attributes, "answer") };
}

function stepOf(span: RecordedSpan, kind: DialectKind): Partial<SpanMeaning> {
  if (kind === "other")
    return present({ operation: textOf(span, "operation"), query: textOf(span, "query") });
  if (kind !== "compaction") return {};
  const countOf = (fact: Fact) => {
    const value = valueIn(span.attributes, fact);
    return typeof value === "number" ? value : undefined;
  };
  return present({ tokensBefore: countOf("tokensBefore"), tokensAfter: countOf("tokensAfter") });
}

/** It is an attribute; what is told of a span while it runs may be an event. */
function isCompacted({ attributes, events }: RecordedSpan): boolean {
  return isTrue(attributes[COMPACTED]) || events.some(({ name }) => name === COMPACTED);
}

function stopReasonOf({ attributes }: RecordedSpan): string | undefined {
  const value = valueIn(attributes, "stopReason");
  return labelOf(Array.isArray(value) ? value[0] : value);
}

function errorOf(span: RecordedSpan): SpanError | undefined {
  if (!hasFailed(span)) return undefined;
  const { statusMessage, attributes, events } = span;
  const exception = events.findLast(({ name }) => name === "exception")?.attributes ?? {};
  const named = labelOf(attributes["error.type"]);
  // What the registry has for an error without a type.
  const type = (named === "_OTHER" ? undefined : named) ?? labelOf(exception["exception.type"]);
  const message =
    statusMessage || labelOf(exception["exception.message"]) || labelOf(attributes["error.message"]);
  const answer = labelOf(attributes["http.response.status_code"]);
  const fallback = answer === undefined ? "failed" : `HTTP ${answer}`;
  return { ...present({ type }), message: message ?? type ?? fallback };
}

/** A fact that is a text, of the span, else of the process that it ran in. */
function textOf({ attributes, resource }: RecordedSpan, fact: Fact): string | undefined {
  return textIn(attributes, fact) ?? textIn(resource, fact);
}

/** A fact of any shape; JSON text is read, also where it stands in a JSON text itself. */
function valueIn(attributes: JsonObject, fact: Fact): unknown {
  for (const [name, , member] of FACTS[fact]) {
    const value = attributes[name];
    if (isPlainText(attributes, name)) return value;
    if (value === undefined || value === null || value === "") continue;
    const once = parsed(value);
    if (member === undefined) return typeof once === "string" ? parsed(once) : once;
    const texts = Array.isArray(once)
      ? once.flatMap((entry) => (isJsonObject(entry) ? (labelField(entry, member) ?? []) : []))
      : [];
    if (texts.length > 0) return texts.join("\n\n");
  }
  return undefined;
}
