import { isJsonObject, type JsonObject } from "../json.js";
import { jsonTextOf } from "./json-text-of.js";

/** More levels than any tool nests what it records in, and far fewer than fill the stack of a function that calls itself for each. */
const MOST_LEVELS = 200;

/** A value as functions that call themselves for each level can read it: what lies deeper than 200 levels is there as its JSON text. */
export function withinDepth(value: unknown): unknown {
  return isDeeper(value, MOST_LEVELS) ? cutBelow(value, MOST_LEVELS) : value;
}

/**
 * The record of a JSON text, {@link withinDepth}; what is no object is the `value` of one.
 *
 * @throws SyntaxError
 */
export function recordIn(text: string): JsonObject {
  const value = withinDepth(JSON.parse(text));
  return isJsonObject(value) ? value : { value };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeper((value as JsonObject)[name], levels - 1)) return true;
  return false;
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return jsonTextOf(value);
  if (Array.isArray(value)) return value.map((member) => cutBelow(member, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cutBelow(member, levels - 1)]),
  );
}
