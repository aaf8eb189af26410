import {
  CUT_OFF,
  cutDeep,
  isJsonObject,
  type JsonObject,
  MOST_LEVELS,
  objectField,
  parseJson,
} from "../../../src/domain/json/json.js";

/** Additional argument that `JSON.parse` passes to a reviver: https://github.com/tc39/proposal-json-parse-with-source */
interface ParseContext {
  readonly source?: string;
}

/** Longer integers are no ids, and converting them takes too long. */
const MAX_DIGITS = 1_000;

/**
 * Parses JSON for display: an integer that a JavaScript number would round becomes a `bigint` with every digit. A browser
 * whose parser does not pass the source text of a value gives the rounded number. So does any browser for what is nested so deep that
 * it is cut off: the parser asks for each value while the call for the one around it waits.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const shallow = cutDeep(value);
  if (shallow !== value) return shallow;
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
}

function keepDigits(_name: string, value: unknown, context?: ParseContext): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const { source = "" } = context ?? {};
  return source.length <= MAX_DIGITS && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** The event of an envelope; `{}` where it has none. */
export function eventIn(record: string): JsonObject {
  const envelope = parseJson(record);
  return isJsonObject(envelope) ? objectField(envelope, "event") : {};
}

/** Longer strings and lists are cut for the page, but not when they are copied. */
const MAX_TEXT = 20_000;
const MAX_ENTRIES = 500;

/** The value with its long strings and lists cut, and what is nested deep, so that the cost of showing it is bounded. */
export function cutStrings(value: unknown): { readonly value: unknown; readonly cut: boolean } {
  let cut = false;
  const visit = (part: unknown, levels: number): unknown => {
    if (typeof part === "string" && part.length > MAX_TEXT) {
      cut = true;
      return `${part.slice(0, MAX_TEXT)}…`;
    }
    if (typeof part !== "object" || part === null) return part;
    if (levels === 0) {
      cut = true;
      return CUT_OFF;
    }
    if (Array.isArray(part)) {
      if (part.length > MAX_ENTRIES) cut = true;
      return part.slice(0, MAX_ENTRIES).map((entry) => visit(entry, levels - 1));
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, visit(member, levels - 1)]),
    );
  };
  return { value: visit(value, MOST_LEVELS), cut };
}

/** A JSON text on lines. One that is nested deep stays as it is: each level is indented further than the one around it. */
export function indentedJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return isDeep(value) ? text : JSON.stringify(value, null, 2);
}

/** The same where that changes nothing else: one with a number that JavaScript would round stays as it is, too. */
export function readableJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return !isDeep(value) && JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
}

function isDeep(value: unknown): boolean {
  return cutDeep(value) !== value;
}
