import { classifyEvent } from "../dialects/event-kinds.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";

/** True for the end of a tool call that a person refused. Such a call did not fail, whatever else the event states. */
export function isRefusal(event: JsonObject): boolean {
  return event.refused === true;
}

/** Outcome of something. Cancelled, aborted and refused work neither failed nor succeeded. */
type Outcome = "failed" | "succeeded";

const WORDS: ReadonlyMap<string, Outcome> = new Map([
  ...words("failed", ["error", "errored", "failed", "failure", "timed_out", "timed-out", "timeout"]),
  ...words("succeeded", ["ok", "success", "succeeded", "completed", "complete", "done"]),
]);

/** Fields of events that name an outcome by a word. */
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
 * Definition of a session's errors. The page counts the spans of a trace by these two rules; the session list counts recorded events by
 * the same rules.
 */

/** True if an event names a failure: it is an error, or it ended in one. Cancelled work without an error has not failed. */
export function isFailure(event: JsonObject): boolean {
  return classifyEvent(textField(event, "type") ?? "").kind === "error" || outcomeOf(event) === "failed";
}

/**
 * True if a failure counts as a separate error: a failure caused by a failed part is not a second error. Bookkeeping is not part of
 * anything: its failure (a hook) is a separate error, and the surrounding step may be another one.
 */
export function isOwnError(hasFailed: boolean, hasFailedPart: boolean): boolean {
  return hasFailed && !hasFailedPart;
}
