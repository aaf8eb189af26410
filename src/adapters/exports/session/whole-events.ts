import { type JsonObject, objectField, recordIn } from "../../../domain/json/json.js";
import type { EventFacts } from "../../../domain/spans/event-facts.js";
import type { ExportedTrace, Keep } from "./exported-trace.js";

/** An event as it was recorded: the line that holds it, or itself. */
export type WholeEvent = string | JsonObject;

/** For writers that output complete events: holds the event as text, and parses it on each access. */
export const keepWhole: Keep<WholeEvent> = (event, _, line) => line ?? event;

export function eventIn(trace: ExportedTrace<WholeEvent>, facts: EventFacts): JsonObject {
  const kept = trace.keptOf(facts);
  return typeof kept === "string" ? objectField(objectField(recordIn(kept), "envelope"), "event") : kept;
}
