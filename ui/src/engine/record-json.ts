import { isJsonObject } from "../../../src/domain/json.js";

/** What a browser's parser tells of a value besides it: https://github.com/tc39/proposal-json-parse-with-source */
interface ParseContext {
  readonly source?: string;
}

/** Longer integers are no ids, and take longer to convert than anybody waits. */
const MAX_DIGITS = 1_000;

/**
 * Parses JSON that somebody looks at: an integer that JavaScript's numbers would round becomes a `bigint`, with every digit.
 * A browser whose parser does not tell the text of a value gives the rounded number.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
}

function keepDigits(_name: string, value: unknown, context?: ParseContext): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const { source = "" } = context ?? {};
  return source.length <= MAX_DIGITS && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Texts longer than this are cut before they go to the page; copying gives them whole. */
const MAX_TEXT = 20_000;
const MAX_ENTRIES = 500;

/** The value with its long texts and lists cut, so that showing it costs the same whatever is in it. */
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

/** A JSON text on lines of its own, where that changes nothing: a number that JavaScript would round keeps the text as it is. */
export function readableJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
}

/**
 * Full-text search over the envelopes as they came: their JSON text, so that whatever an event holds can be found, also in
 * fields that no view knows. Case does not matter.
 */
export function searchRecords(texts: readonly string[], query: string): Set<number> {
  const hits = new Set<number>();
  const pattern = searchPattern(query);
  if (pattern === undefined) return hits;
  for (let index = 0; index < texts.length; index++) if (pattern.test(texts[index]!)) hits.add(index);
  return hits;
}

/** The query as it stands inside JSON text: quotes, backslashes and line breaks are escaped there. */
function searchPattern(query: string): RegExp | undefined {
  if (query.trim() === "") return undefined;
  const inJson = JSON.stringify(query).slice(1, -1);
  return new RegExp(inJson.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
}
