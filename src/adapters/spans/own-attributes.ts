import { isJsonObject, type JsonObject, jsonIn } from "../../domain/json/json.js";
import type { TraceEvent } from "../../domain/trace/trace-envelope.js";
import type { RecordedSpan } from "./recorded-span.js";

/**
 * Attributes in spans of exported sessions for which no convention has a name: `docs/export.md` describes them for other readers.
 *
 * - `kind`: `step` for a plain step, whatever its other attributes state.
 * - `title`: of the session.
 * - `start`, `end`: JSON of the members without an attribute, from the events that began and ended it.
 * - `messages`: `added` if its messages are only those that it added to the conversation, and not the model's complete input.
 * - `texts`: names of attributes that are texts, also if they look like JSON.
 * - `unfinished`: `true` if its end is not recorded, and its end time is that of the last event.
 * - `cacheWrite1h`: number of tokens written to a cache that stores them for an hour.
 * - `event`: of an event of a span: the original event, as JSON.
 */
export const OWN_ATTRIBUTES = {
  kind: "agent_inspector.kind",
  title: "agent_inspector.session.title",
  start: "agent_inspector.start",
  end: "agent_inspector.end",
  messages: "agent_inspector.messages",
  texts: "agent_inspector.texts",
  unfinished: "agent_inspector.unfinished",
  cacheWrite1h: "agent_inspector.usage.cache_creation_1h.input_tokens",
  event: "agent_inspector.event",
} as const;

export function isOwn(name: string): boolean {
  return name.startsWith("agent_inspector.");
}

export function addsMessages({ [OWN_ATTRIBUTES.messages]: which }: JsonObject): boolean {
  return which === "added";
}

export function isPlainText({ [OWN_ATTRIBUTES.texts]: names }: JsonObject, name: string): boolean {
  return Array.isArray(names) && names.includes(name);
}

const RECORDED: ReadonlySet<string> = new Set([
  "type",
  "callId",
  "toolCallId",
  "turnIndex",
  "compactionId",
  "spanId",
  "parentSpanId",
  "agentId",
]);

export function membersIn(
  attributes: JsonObject,
  name: typeof OWN_ATTRIBUTES.start | typeof OWN_ATTRIBUTES.end,
): JsonObject | undefined {
  const text = attributes[name];
  const members = typeof text === "string" ? jsonIn(text) : undefined;
  if (!isJsonObject(members)) return undefined;
  return Object.fromEntries(Object.entries(members).filter(([member]) => !RECORDED.has(member)));
}

export interface SpanPoint {
  readonly event: TraceEvent;
  /** Milliseconds since the epoch, with fraction. */
  readonly at: number;
}

const NONE: readonly SpanPoint[] = [];

export function pointsOf({ events }: RecordedSpan): readonly SpanPoint[] {
  if (events.length === 0) return NONE;
  return events.flatMap(({ at, attributes }) => {
    const text = attributes[OWN_ATTRIBUTES.event];
    const event = typeof text === "string" ? jsonIn(text) : undefined;
    return isJsonObject(event) && typeof event.type === "string" ? [{ event: event as TraceEvent, at }] : [];
  });
}
