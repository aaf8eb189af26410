import { isJsonObject } from "../../../src/domain/json.js";

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
