import { classifyEvent } from "../dialects/event-kinds.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";

/** A refused call did not fail, in spite of other members of the event. */
export function isRefusal(event: JsonObject): boolean {
  return event.refused === true;
}

/** Aborted and refused work has no outcome. */
type Outcome = "failed" | "succeeded";

const WORDS: ReadonlyMap<string, Outcome> = new Map([
  ...words("failed", ["error", "errored", "failed", "failure", "timed_out", "timed-out", "timeout"]),
  ...words("succeeded", ["ok", "success", "succeeded", "completed", "complete", "done"]),
]);

const WORD_FIELDS = ["status", "outcome", "stopReason", "reason"];

/** @example outcomeOfWord("timed_out") // "failed" */
export function outcomeOfWord(word: string): Outcome | undefined {
  return WORDS.get(word);
}

/** Reads the event's own fields and those of its `job`. Failure outweighs success; a refusal outweighs both. */
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

/** Definition of a session's errors: the page and the session list both count by these two rules. */

/** Aborted work without an error has not failed. */
export function isFailure(event: JsonObject): boolean {
  return classifyEvent(textField(event, "type") ?? "").kind === "error" || outcomeOf(event) === "failed";
}

/** A failure caused by a failed part is not a second error. Bookkeeping is part of nothing: a hook's failure is a separate error. */
export function isOwnError(hasFailed: boolean, hasFailedPart: boolean): boolean {
  return hasFailed && !hasFailedPart;
}
