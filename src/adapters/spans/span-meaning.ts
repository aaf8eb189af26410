import { isJsonObject, type JsonObject, labelField, labelOf, present } from "../../domain/json/json.js";
import { tieredModel } from "../../domain/usage/service-tiers.js";
import type { SpanEvaluation } from "../../recording/run-span.js";
import { FACTS, type Fact } from "./fact-spellings.js";
import { COMPACTED, type DialectKind } from "./kind-spellings.js";
import { addsMessages, isPlainText } from "./own-attributes.js";
import type { RecordedSpan } from "./recorded-span.js";
import { evaluationsOf } from "./span-evaluations.js";
import { contentOf, type SpanMessages, spanMessages } from "./span-messages.js";
import { hasFailed, isTrue, parsed, spanOutline, textIn } from "./span-outline.js";
import { type SpanUsage, spanUsage } from "./span-usage.js";

/** Meaning of a span, independent of its convention. Unstated facts are absent. */
export interface SpanMeaning {
  readonly kind: DialectKind;
  readonly name: string;
  readonly model?: string;
  readonly provider?: string;
  readonly toolCallId?: string;
  readonly agentId?: string;
  readonly stopReason?: string;
  /** Of a tool, an agent or a turn; parsed if it is JSON. */
  readonly input?: unknown;
  readonly output?: unknown;
  readonly operation?: string;
  readonly query?: string;
  readonly messages?: SpanMessages;
  /** True if a model call's context was a compacted view; absent if unstated. */
  readonly isCompacted?: boolean;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly evaluations?: readonly SpanEvaluation[];
  /** Surrounding spans often repeat it. */
  readonly usage?: SpanUsage;
  readonly error?: SpanError;
  readonly sessionId?: string;
  readonly tenantId?: string;
  readonly userId?: string;
}

interface SpanError {
  readonly type?: string;
  readonly message: string;
}

/**
 * Examines this span alone, also while it runs.
 * @example
 * spanMeaning(span) // { kind: "tool", name: "Read", toolCallId: "t1", input: { path: "a.ts" }, error: { message: "not found" } }
 */
export function spanMeaning(span: RecordedSpan): SpanMeaning {
  const { kind, sessionId, userId, namedTenantId, serviceName } = spanOutline(span);
  const usage = kind === "tool" ? undefined : spanUsage(span.attributes);
  const messages = kind === "model" || addsToAgent(span, kind) ? spanMessages(span) : undefined;
  const facts = present({
    model: tieredModel(textOf(span, "model"), textOf(span, "serviceTier")),
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
  return { kind, name: nameOf(span, kind), ...facts };
}

/** True if the agent's messages were no input of its calls; otherwise they may repeat those. */
function addsToAgent({ attributes }: RecordedSpan, kind: DialectKind): boolean {
  return kind === "agent" && addsMessages(attributes) && attributes["gen_ai.input.messages"] !== undefined;
}

function nameOf(span: RecordedSpan, kind: DialectKind): string {
  const fact = kind === "tool" ? "toolName" : kind === "agent" ? "agentName" : undefined;
  return (fact === undefined ? undefined : textOf(span, fact)) ?? span.name;
}

/** Attributes of the span; otherwise its messages, which events or other attributes contain. */
function exchangeOf(span: RecordedSpan, kind: DialectKind): { input?: unknown; output?: unknown } {
  if (kind === "model") return {};
  const [inputFact, outputFact] =
    kind === "tool" ? (["toolInput", "toolOutput"] as const) : (["prompt", "answer"] as const);
  const input = valueIn(span.attributes, inputFact);
  const output = valueIn(span.attributes, outputFact);
  if (kind === "other" || (input !== undefined && output !== undefined)) return { input, output };
  const messages = spanMessages(span);
  return { input: input ?? contentOf(messages.input), output: output ?? contentOf(messages.output) };
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

/** An attribute, or an event for facts that arrive while the span runs. */
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
  // The registry uses it for an error without a type.
  const type = (named === "_OTHER" ? undefined : named) ?? labelOf(exception["exception.type"]);
  const message =
    statusMessage || labelOf(exception["exception.message"]) || labelOf(attributes["error.message"]);
  const answer = labelOf(attributes["http.response.status_code"]);
  const fallback = answer === undefined ? "failed" : `HTTP ${answer}`;
  return { ...present({ type }), message: message ?? type ?? fallback };
}

function textOf({ attributes, resource }: RecordedSpan, fact: Fact): string | undefined {
  return textIn(attributes, fact) ?? textIn(resource, fact);
}

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
