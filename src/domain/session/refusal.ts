import type { JsonObject } from "../json/json.js";

/** Whether an event is the end of a tool call that a person refused: nothing failed, whatever else it says. */
export function isRefusal(event: JsonObject): boolean {
  return event.refused === true;
}
