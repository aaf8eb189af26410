import type { EventKind } from "../dialects/event-kinds.js";
import { CUT_OFF, isJsonObject, type JsonObject, MOST_LEVELS, objectField } from "../json/json.js";
import { previewText } from "../text/preview-text.js";
import { callSubject, newSubject, type Subject } from "../text/subject.js";
import { subjectLine } from "../text/subject-line.js";

/** In order of preference. */
const EVENT_FIELDS = ["prompt", "text", "thinking", "message", "summary", "reason", "question", "outputText"];

export function eventSubject(kind: EventKind, event: JsonObject): Subject {
  const input = event.input ?? event.args ?? event.arguments ?? event.parameters;
  if (kind === "tool") return callSubject(input, () => textWithin(input));
  if (kind === "evaluation") return newSubject(verdictText(event));
  return newSubject(
    (kind === "span" ? firstText(event, ["query"]) : undefined) ??
      firstText(event, EVENT_FIELDS) ??
      hookText(event) ??
      firstText(objectField(event, "job"), ["prompt", "input", "outputText"]) ??
      firstText(objectField(event, "agent"), ["description", "role"]) ??
      ((kind === "llm" && textWithin(event.output ?? event.response)) ||
        textWithin(input) ||
        textWithin(recordedContent(event)) ||
        (kind === "text" ? textWithin(event.text ?? event.thinking) : "")),
  );
}

/** @example `4 · relevant · It answers the question.` */
function verdictText({ score, label, explanation }: JsonObject): string {
  const parts = [score, label, explanation].filter(
    (part) => typeof part === "number" || (typeof part === "string" && part !== ""),
  );
  return parts.join(" · ");
}

function hookText(event: JsonObject): string | undefined {
  const { name, command } = objectField(event, "hook");
  return [name, command].filter((part) => typeof part === "string").join(" ") || undefined;
}

/**
 * @param directory base of relative paths; `""` if it is not recorded
 * @example inputPreview({ timeout: 5, command: "ls" }, "/shop") // "ls"
 */
export function inputPreview(input: unknown, directory: string, length?: number): string {
  const subject = callSubject(input, () => textWithin(input));
  return previewText(subjectLine(subject, directory).text, length);
}

export function recordedContent(event: JsonObject): unknown {
  const record = isJsonObject(event.record) ? event.record : event;
  return objectField(record, "message").content ?? record.content ?? record.data;
}

/** Cuts early, because a value may be megabytes. */
export function textWithin(value: unknown, limit = 1200, depth = 0): string {
  if (typeof value === "string") return value.slice(0, limit);
  if (value === undefined || value === null) return "";
  if (typeof value === "object" && depth === MOST_LEVELS) return CUT_OFF;
  if (Array.isArray(value)) {
    return value
      .slice(0, 8)
      .map((part) => textWithin(part, limit, depth + 1))
      .join(" ")
      .slice(0, limit);
  }
  if (isJsonObject(value)) {
    const text = firstText(value, ["text", "thinking", "content", "output", "message", "stdout", "value"]);
    if (text !== undefined) return text.slice(0, limit);
    return Object.entries(value)
      .slice(0, 8)
      .map(([name, part]) => `${name}: ${textWithin(part, 200, depth + 1)}`)
      .join(", ")
      .slice(0, limit);
  }
  return String(value);
}

export function firstText(object: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}
