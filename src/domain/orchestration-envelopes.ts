import { derivedId } from "./derived-id.js";
import { formatInstant, instantOf } from "./instant.js";
import { isJsonObject, type JsonObject, textField } from "./json.js";
import { orchestrationEventId } from "./orchestration.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "./trace-envelope.js";
import type { TraceOrder } from "./trace-order.js";

/** The part of the runtime order that orchestration events go on from. */
export type RuntimeEnd = Pick<TraceOrder, "nextSequence" | "lastInstant" | "lastTraceId">;

/**
 * Orchestration events as envelopes, in chronological order, numbered on from the runtime envelopes. The sort is stable,
 * and an event without an instant stays behind the event it was stored after. Never "now": two readings give the same.
 */
export function orchestrationEnvelopes(
  tenantId: string,
  sessionId: string,
  events: readonly unknown[],
  runtimeEnd: RuntimeEnd,
): WorkflowTraceEventEnvelope[] {
  let carried: number | undefined;
  const placed = events.map((event, position) => {
    const own = isJsonObject(event) ? (instantOf(event.occurredAt) ?? instantOf(event.timestamp)) : undefined;
    carried = own ?? carried;
    return { event, position, instant: carried };
  });
  placed.sort(
    (a, b) =>
      (a.instant ?? Number.MIN_SAFE_INTEGER) - (b.instant ?? Number.MIN_SAFE_INTEGER) ||
      a.position - b.position,
  );
  const earliest = placed.find((entry) => entry.instant !== undefined)?.instant ?? 0;
  return placed.map(({ event, position, instant }, i) => {
    const fields: JsonObject = isJsonObject(event) ? event : {};
    return {
      id: orchestrationEventId(fields) ?? derivedId(`${tenantId}/${sessionId}/orchestration/${position}`),
      timestamp: formatInstant(instant ?? runtimeEnd.lastInstant ?? earliest),
      sequence: runtimeEnd.nextSequence + i,
      source: "orchestration",
      sessionId,
      tenantId,
      traceId: textField(fields, "traceId") ?? textField(fields, "runId") ?? runtimeEnd.lastTraceId,
      event: asTraceEvent(event),
    };
  });
}

function asTraceEvent(event: unknown): TraceEvent {
  if (!isJsonObject(event)) return { type: "unknown", value: event };
  return typeof event.type === "string" ? (event as TraceEvent) : { ...event, type: "unknown" };
}
