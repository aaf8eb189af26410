import { isJsonObject, type JsonObject, objectField } from "../../../src/domain/json.js";
import { jsonTextOf } from "../../../src/domain/json-text/json-text-of.js";
import { recordIn, withinDepth } from "../../../src/domain/json-text/within-depth.js";

/** What `JSON.parse` passes to a reviver besides the value: https://github.com/tc39/proposal-json-parse-with-source */
interface ParseContext {
  readonly source?: string;
}

/** Longer integers are no ids, and converting them takes too long. */
const MAX_DIGITS = 1_000;

/**
 * Parses JSON for display: an integer that a JavaScript number would round becomes a `bigint` with every digit. A browser
 * whose parser does not pass the source text of a value gives the rounded number, and so does a value that is nested very deep.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const shown = withinDepth(value);
  // A parser with a reviver calls itself for each level.
  return shown === value ? JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown) : shown;
}

function keepDigits(_name: string, value: unknown, context?: ParseContext): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const { source = "" } = context ?? {};
  return source.length <= MAX_DIGITS && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** The event of an envelope; `{}` where it has none. */
export function eventIn(record: string): JsonObject {
  return objectField(recordIn(record), "event");
}

/** Longer strings and lists are cut before they go to the page; what is copied is whole. */
const MAX_TEXT = 20_000;
const MAX_ENTRIES = 500;

/** The value with its long strings and lists cut, so that the cost of showing it is bounded. */
export function cutStrings(value: unknown): { readonly value: unknown; readonly cut: boolean } {
  let cut = false;
  const visit = (part: unknown): unknown => {
    if (typeof part === "string" && part.length > MAX_TEXT) {
      cut = true;
      return `${part.slice(0, MAX_TEXT)}…`;
    }
    if (Array.isArray(part)) {
      if (part.length > MAX_ENTRIES) cut = true;
      return part.slice(0, MAX_ENTRIES).map(visit);
    }
    if (isJsonObject(part)) {
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, visit(member)]));
    }
    return part;
  };
  return { value: visit(value), cut };
}

/** Indents a JSON text if that changes nothing else: one with a number that JavaScript would round is returned as it is. */
export function readableJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return jsonTextOf(value) === text ? jsonTextOf(value, 2)! : text;
}
