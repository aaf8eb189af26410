import {
  isJsonObject,
  type JsonObject,
  jsonIn,
  labelField,
  labelOf,
  present,
} from "../../domain/json/json.js";
import { type DialectKind, FACTS, type Fact, KINDS, KINDS_BY_NAME } from "./dialects.js";
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
  const kind = kindOf(span);
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
    sessionId: textOf(span, "sessionId") ?? sessionInMetadata(span.attributes),
    tenantId: namedTenant(span) ?? textOf(span, "serviceName"),
    userId: textOf(span, "userId"),
  });
  return { kind, name: nameOf(span, kind), ...known };
}

/** The tenant that a span, or its process, names as such. A span that names none is its service's. */
export function namedTenant(span: RecordedSpan): string | undefined {
  return textOf(span, "tenantId");
}

function kindOf({ attributes, name, scope }: RecordedSpan): DialectKind {
  const told = KINDS.flatMap(({ attribute, values }) => {
    const value = attributes[attribute];
    const text = typeof value === "string" ? value.toLowerCase() : "";
    const kinds = Object.keys(values) as DialectKind[];
    return kinds.filter((kind) => values[kind]!.includes(text));
  });
  // A step by one convention may be more by another.
  const certain = told.find((kind) => kind !== "other");
  const byName = KINDS_BY_NAME.find((row) => scope === row.scope && row.name.test(name));
  const kind = certain ?? byName?.kind ?? told[0];
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

function errorOf({ status, statusMessage, attributes, events }: RecordedSpan): SpanError | undefined {
  const exception = events.findLast(({ name }) => name === "exception")?.attributes ?? {};
  const type = labelOf(attributes["error.type"]) ?? labelOf(exception["exception.type"]);
  if (status !== "error" && attributes["error.type"] === undefined) return undefined;
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
  for (const [name] of FACTS[fact]) {
    const text = labelOf(attributes[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

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
