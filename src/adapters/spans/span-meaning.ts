import {
  isJsonObject,
  type JsonObject,
  jsonIn,
  labelField,
  labelOf,
  present,
} from "../../domain/json/json.js";
import { type DialectKind, FACTS, type Fact, KINDS, KINDS_BY_NAME, USAGES } from "./dialects.js";
import type { RecordedSpan } from "./recorded-span.js";
import { type SpanMessages, spanMessages } from "./span-messages.js";
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
  /** Of model calls. */
  readonly messages?: SpanMessages;
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
  const messages = kind === "model" ? spanMessages(span) : undefined;
  const known = present({
    model: textOf(span, "model"),
    provider: textOf(span, "provider"),
    toolCallId: kind === "tool" ? textOf(span, "toolCallId") : undefined,
    agentId: textOf(span, "agentId"),
    stopReason: stopReasonOf(span),
    ...exchangeOf(span, kind),
    messages,
    usage,
    error: errorOf(span),
    sessionId,
    tenantId: namedTenantId ?? serviceName,
    userId,
  });
  return { kind, name: nameOf(span, kind), ...known };
}

/** What a span says of its kind, of whose it is and whether it failed: the part of its meaning that costs little, for whoever sorts many. */
export interface SpanOutline {
  readonly kind: DialectKind;
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  /** The tenant that the span, or its process, names as such. */
  readonly namedTenantId: string | undefined;
  /** The name of its service, whose it is where it names no tenant. */
  readonly serviceName: string | undefined;
  readonly hasFailed: boolean;
}

/** The attributes that an outline is made of. */
export const OUTLINE_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...KINDS.map(({ attribute }) => attribute),
  ...(["model", "sessionId", "userId", "tenantId", "serviceName"] as const).flatMap((fact) =>
    FACTS[fact].map(([name]) => name),
  ),
  ...USAGES.flatMap(({ input, output }) => [input, output]),
  "metadata",
  "error.type",
]);

export function spanOutline(span: RecordedSpan): SpanOutline {
  return {
    kind: kindOf(span),
    sessionId: textOf(span, "sessionId") ?? sessionInMetadata(span.attributes),
    userId: textOf(span, "userId"),
    namedTenantId: textOf(span, "tenantId"),
    serviceName: textOf(span, "serviceName"),
    hasFailed: hasFailed(span),
  };
}

/** By attribute, in the order of the table: the kinds that a value tells. */
const KINDS_BY_VALUE = KINDS.map(({ attribute, values }) => {
  const kinds = new Map<string, DialectKind[]>();
  for (const [kind, names] of Object.entries(values) as [DialectKind, readonly string[]][])
    for (const name of names) kinds.set(name, [...(kinds.get(name) ?? []), kind]);
  return { attribute, kinds };
});

function kindOf({ attributes, name, scope }: RecordedSpan): DialectKind {
  let step: DialectKind | undefined;
  for (const { attribute, kinds } of KINDS_BY_VALUE) {
    const value = attributes[attribute];
    if (typeof value !== "string") continue;
    for (const kind of kinds.get(value.toLowerCase()) ?? []) {
      // A step by one convention may be more by another.
      if (kind !== "other") return kind;
      step = kind;
    }
  }
  const byName = KINDS_BY_NAME.find((row) => scope === row.scope && row.name.test(name));
  const kind = byName?.kind ?? step;
  if (kind !== undefined) return kind;
  const isCall = textIn(attributes, "model") !== undefined && spanUsage(attributes) !== undefined;
  return isCall ? "model" : "other";
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

function stopReasonOf({ attributes }: RecordedSpan): string | undefined {
  const value = valueIn(attributes, "stopReason");
  return labelOf(Array.isArray(value) ? value[0] : value);
}

function hasFailed({ status, attributes }: RecordedSpan): boolean {
  return status === "error" || attributes["error.type"] !== undefined;
}

function errorOf(span: RecordedSpan): SpanError | undefined {
  if (!hasFailed(span)) return undefined;
  const { statusMessage, attributes, events } = span;
  const exception = events.findLast(({ name }) => name === "exception")?.attributes ?? {};
  const type = labelOf(attributes["error.type"]) ?? labelOf(exception["exception.type"]);
  const message =
    statusMessage || labelOf(exception["exception.message"]) || labelOf(attributes["error.message"]);
  const answer = labelOf(attributes["http.response.status_code"]);
  const fallback = answer === undefined ? "failed" : `HTTP ${answer}`;
  return { ...present({ type }), message: message ?? type ?? fallback };
}

/** OpenInference keeps what a framework says of a run as JSON text. */
function sessionInMetadata({ metadata }: JsonObject): string | undefined {
  const value = parsed(metadata);
  return isJsonObject(value) ? (labelOf(value.session_id) ?? labelOf(value.thread_id)) : undefined;
}

/** A fact that is a text, of the span, else of the process that it ran in. */
function textOf({ attributes, resource }: RecordedSpan, fact: Fact): string | undefined {
  return textIn(attributes, fact) ?? textIn(resource, fact);
}

function textIn(attributes: JsonObject, fact: Fact): string | undefined {
  for (const name of NAMES.get(fact)!) {
    const text = labelOf(attributes[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** What the attributes are called that tell a fact. */
const NAMES = new Map(
  Object.entries(FACTS).map(([fact, rows]) => [fact, rows.map(([name]) => name)] as const),
);

/** A fact of any shape; JSON text is read, also where it stands in a JSON text itself. */
function valueIn(attributes: JsonObject, fact: Fact): unknown {
  for (const [name, , member] of FACTS[fact]) {
    const value = attributes[name];
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

function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  const json = jsonIn(value);
  return isJsonObject(json) || Array.isArray(json) || typeof json === "string" ? json : value;
}
