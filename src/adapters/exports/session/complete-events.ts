import { type JsonObject, objectField, recordIn } from "../../../domain/json/json.js";
import type { EventFacts } from "../../../domain/spans/event-facts.js";
import type { ExportedTrace, Keep } from "./exported-trace.js";

/** The archive line of an event, or the event itself. */
export type CompleteEvent = string | JsonObject;

/** Holds events as text, and parses them on each access. */
export const keepComplete: Keep<CompleteEvent> = (event, _, line) => line ?? event;

export function eventIn(trace: ExportedTrace<CompleteEvent>, facts: EventFacts): JsonObject {
  const retained = trace.retainedOf(facts);
  return typeof retained === "string"
    ? objectField(objectField(recordIn(retained), "envelope"), "event")
    : retained;
}
