import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { classifyEvent } from "../trace/event-kinds.js";

/** Whether an event is the end of a tool call that a person refused: nothing failed, whatever else it says. */
export function isRefusal(event: JsonObject): boolean {
  return event.refused === true;
}

/** How something ended. What was cancelled, aborted or refused neither failed nor succeeded. */
type Outcome = "failed" | "succeeded";

const WORDS: ReadonlyMap<string, Outcome> = new Map([
  ...words("failed", ["error", "errored", "failed", "failure", "timed_out", "timed-out", "timeout"]),
  ...words("succeeded", ["ok", "success", "succeeded", "completed", "complete", "done"]),
]);

/** The fields in which events name an outcome by a word. */
const WORD_FIELDS = ["status", "outcome", "stopReason", "reason"];

/** @example outcomeOfWord("timed_out") // "failed" */
export function outcomeOfWord(word: string): Outcome | undefined {
  return WORDS.get(word);
}

/**
 * The outcome that an event names, in its own fields or in those of its `job`; `undefined` when it names none. A sign of
 * failure outweighs any sign of success, and that a person refused it outweighs both.
 */
export function outcomeOf(event: JsonObject): Outcome | undefined {
  if (isRefusal(event)) return undefined;
  const named = [...outcomesIn(event), ...outcomesIn(objectField(event, "job"))];
  return named.includes("failed") ? "failed" : named[0];
}

function outcomesIn(record: JsonObject): Outcome[] {
  const { error, isError, success } = record;
  const outcomes: Outcome[] = [];
  // An empty object counts: it is what JSON.stringify makes of an Error.
  if (isError === true || success === false || isJsonObject(error) || isText(error)) outcomes.push("failed");
  if (isError === false || success === true) outcomes.push("succeeded");
  for (const field of WORD_FIELDS) {
    const word = record[field];
    const outcome = typeof word === "string" ? WORDS.get(word) : undefined;
    if (outcome !== undefined) outcomes.push(outcome);
  }
  return outcomes;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function words(outcome: Outcome, spellings: readonly string[]): [string, Outcome][] {
  return spellings.map((spelling) => [spelling, outcome]);
}

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
