import {
  CUT_OFF,
  cutDeep,
  isJsonObject,
  type JsonObject,
  MOST_LEVELS,
  objectField,
  parseJson,
} from "../../../../src/domain/json/json.js";

/** @see https://github.com/tc39/proposal-json-parse-with-source */
interface ParseContext {
  readonly source?: string;
}

/** Longer integers are no ids, and take too long to convert. */
const MAX_DIGITS = 1_000;

/**
 * An integer that a number would round becomes a `bigint`. Browsers without source text in the reviver round it, and so does any browser
 * for deeply nested values, because the parser recurses.
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

/** `{}` without an event. */
export function eventIn(record: string): JsonObject {
  const envelope = parseJson(record);
  return isJsonObject(envelope) ? objectField(envelope, "event") : {};
}

/** Bounds for display only; copies are complete. */
const MAX_TEXT = 20_000;
const MAX_ENTRIES = 500;

/** Also cuts deeply nested values, to bound the cost of display. */
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

/** Deeply nested JSON stays unchanged, because indentation would multiply its size. */
export function indentedJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return isDeep(value) ? text : JSON.stringify(value, null, 2);
}

/** Also leaves numbers unchanged that JavaScript would round. */
export function readableJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return !isDeep(value) && JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
}

function isDeep(value: unknown): boolean {
  return cutDeep(value) !== value;
}
