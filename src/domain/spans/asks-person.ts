import { classifyEvent } from "../dialects/event-kinds.js";
import { asksPerson } from "../dialects/question-tools.js";
import { isJsonObject, type JsonObject, jsonIn, objectField, textField } from "../json/json.js";
import { excerptOf } from "../text/excerpt.js";
import type { Span } from "./span.js";

/** Does not depend on an answer. */
export function isAskingSpan({ kind, name }: Pick<Span, "kind" | "name">): boolean {
  return kind === "input" || (kind === "tool" && asksPerson(name));
}

/** In order of preference. */
const ASKED = ["question", "prompt", "message", "plan", "summary", "response"];

/**
 * Returns the first question, in one line of at most 300 UTF-16 code units.
 * @returns `undefined` if the event has no question
 * @example questionOf({ type: "input.waiting", prompt: "Deploy it?" }) // "Deploy it?"
 */
export function questionOf(event: JsonObject): string | undefined {
  const { kind } = classifyEvent(textField(event, "type") ?? "");
  return kind === "tool" ? questionIn(event.input ?? event.args ?? event.arguments) : askedIn(event);
}

/** @param input the input of an asking tool: an object, or its JSON text */
export function questionIn(input: unknown): string | undefined {
  const given = typeof input === "string" ? jsonIn(input) : input;
  if (!isJsonObject(given)) return undefined;
  const first: unknown = Array.isArray(given.questions) ? given.questions[0] : undefined;
  return (isJsonObject(first) ? askedIn(first) : undefined) ?? askedIn(given);
}

function askedIn(object: JsonObject): string | undefined {
  for (const from of [object, objectField(object, "data")]) {
    for (const name of ASKED) {
      const line = excerptOf(textField(from, name) ?? "");
      if (line !== undefined) return line;
    }
  }
  return undefined;
}
