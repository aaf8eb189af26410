import { classifyEvent } from "../dialects/event-kinds.js";
import { isJsonObject, type JsonObject, jsonIn, objectField, textField } from "../json/json.js";
import { excerptOf } from "../text/excerpt.js";

/** In order of preference. */
const QUESTION_FIELDS = ["question", "prompt", "message", "plan", "summary", "response"];

/**
 * Returns the first question, in one line of at most 300 UTF-16 code units.
 * @returns `undefined` if the event has no question
 * @example questionOf({ type: "input.waiting", prompt: "Deploy it?" }) // "Deploy it?"
 */
export function questionOf(event: JsonObject): string | undefined {
  const { kind } = classifyEvent(textField(event, "type") ?? "");
  return kind === "tool" ? questionIn(event.input ?? event.args ?? event.arguments) : requestedIn(event);
}

/** @param input the input of an asking tool: an object, or its JSON text */
export function questionIn(input: unknown): string | undefined {
  const parsed = typeof input === "string" ? jsonIn(input) : input;
  if (!isJsonObject(parsed)) return undefined;
  const first: unknown = Array.isArray(parsed.questions) ? parsed.questions[0] : undefined;
  return (isJsonObject(first) ? requestedIn(first) : undefined) ?? requestedIn(parsed);
}

function requestedIn(object: JsonObject): string | undefined {
  for (const from of [object, objectField(object, "data")]) {
    for (const name of QUESTION_FIELDS) {
      const line = excerptOf(textField(from, name) ?? "");
      if (line !== undefined) return line;
    }
  }
  return undefined;
}
