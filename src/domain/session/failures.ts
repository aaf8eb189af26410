import { type JsonObject, textField } from "../json/json.js";
import { classifyEvent } from "../trace/event-kinds.js";
import { outcomeOf } from "./outcome.js";

/**
 * What counts as an error of a session: the page counts the spans of a trace by these two rules, the session list what it reads or
 * what is recorded.
 */

/** Whether an event names a failure: it is an error, or it ended in one. What was cancelled without one has not failed. */
export function isFailure(event: JsonObject): boolean {
  return classifyEvent(textField(event, "type") ?? "").kind === "error" || outcomeOf(event) === "failed";
}

/**
 * Whether what failed is an error of its own: what failed because of a part of it is no second one. Bookkeeping is no part of
 * anything: what failed in it (a hook) is an error of its own, and what lies around it may be another one.
 */
export function isOwnError(hasFailed: boolean, hasFailedPart: boolean): boolean {
  return hasFailed && !hasFailedPart;
}
