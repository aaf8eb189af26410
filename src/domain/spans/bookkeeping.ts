import { type JsonObject, textField } from "../json/json.js";
import { classifyEvent, isBookkeepingType } from "../trace/event-kinds.js";

/** What a runtime notes of its own work, beside what the agent did. */
export interface Bookkeeping {
  readonly kind: "hook" | "record";
  /** The tool call that it says it belongs to. */
  readonly toolCallId: string | undefined;
  /** The id of the envelope that it says it belongs to. */
  readonly stepId: string | undefined;
}

/**
 * By the event's member `bookkeeping`, by its type, or because it repeats another one: what is recorded twice is shown where it is
 * said first.
 *
 * @returns `undefined` for an event that is no bookkeeping, as everything is that begins or ends something
 */
export function readBookkeeping(event: JsonObject): Bookkeeping | undefined {
  const type = textField(event, "type") ?? "";
  const isRecord = event.bookkeeping === "record" || event.repeats === true || isBookkeepingType(type);
  const kind = event.bookkeeping === "hook" ? "hook" : isRecord ? "record" : undefined;
  if (kind === undefined || classifyEvent(type).phase !== "point") return undefined;
  return { kind, toolCallId: textField(event, "toolCallId"), stepId: textField(event, "stepId") };
}
