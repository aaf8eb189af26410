import { type JsonObject, objectField, recordIn } from "../../../domain/json/json.js";
import type { EventFacts } from "../../../domain/spans/event-facts.js";
import type { ExportedTrace, Keep } from "./exported-trace.js";

/** The archive line of an event, or the event itself. */
export type WholeEvent = string | JsonObject;

/** Holds events as text, and parses them on each access. */
export const keepWhole: Keep<WholeEvent> = (event, _, line) => line ?? event;

export function eventIn(trace: ExportedTrace<WholeEvent>, facts: EventFacts): JsonObject {
  const kept = trace.keptOf(facts);
  return typeof kept === "string" ? objectField(objectField(recordIn(kept), "envelope"), "event") : kept;
}
