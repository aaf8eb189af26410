import { isJsonObject, type JsonObject, jsonIn } from "../../domain/json/json.js";
import type { TraceEvent } from "../../domain/trace/trace-envelope.js";
import type { RecordedSpan } from "./recorded-span.js";

/**
 * What spans of exported sessions say that no convention has a word for: `docs/export.md` describes them for other readers.
 *
 * - `kind`: `step` for what is nothing more, whatever its other attributes say. - `title`: of the session. - `start`, `end`: JSON of the
 *   members of the events that began and ended it for which there is no attribute.
 * - `messages`: `added` where its messages are those that it added to the conversation, and not all that the model was given.
 * - `texts`: which attributes are texts, also where they look like JSON. - `unfinished`: `true` where its end is not recorded, and the one
 *   that it has is what came last.
 * - `cacheWrite1h`: how many of the tokens that were written to a cache it keeps for an hour. - `event`: of an event of a span: what
 *   happened, as JSON of it.
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

/** Whether an attribute is a text, whatever it looks like. */
export function isPlainText({ [OWN_ATTRIBUTES.texts]: names }: JsonObject, name: string): boolean {
  return Array.isArray(names) && names.includes(name);
}

/** What a recorder says itself of an event, and what pairs it with others. */
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

/** The members that an event had; `undefined` where nothing is told of any. */
export function membersIn(
  attributes: JsonObject,
  name: typeof OWN_ATTRIBUTES.start | typeof OWN_ATTRIBUTES.end,
): JsonObject | undefined {
  const text = attributes[name];
  const members = typeof text === "string" ? jsonIn(text) : undefined;
  if (!isJsonObject(members)) return undefined;
  return Object.fromEntries(Object.entries(members).filter(([member]) => !RECORDED.has(member)));
}

/** Something that happened in a span. */
export interface SpanPoint {
  readonly event: TraceEvent;
  /** Milliseconds since the epoch, with their fraction. */
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
