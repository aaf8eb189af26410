import fc from "fast-check";
import type { SearchQuery } from "../../src/domain/search/search-query.js";
import { spelledText } from "./stored-texts.js";

/** The definition of a match: that of JavaScript, ignoring case unless `isExact`. */
function holds(said: string, { text, isExact }: SearchQuery): boolean {
  const escaped = Array.from(
    text.split(""),
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new RegExp(escaped.join(""), isExact ? "" : "i").test(said);
}

const character = fc.constantFrom(
  ..."abcABCiIkKsS019 _%-./'\"\\\n\t\0éÉßσςΣİıµжЖ日本",
  "\u{1F99C}",
  "\u{10428}",
  "\u212a",
  "\u017f",
  "\ud83e",
  "\udd9c",
);
const word = fc.constantFrom("router", "KISS", "kiss1", "u0041", "nRouter");
const text = fc
  .array(fc.oneof({ arbitrary: character, weight: 4 }, word), { maxLength: 10 })
  .map((characters) => characters.join(""));
const query = fc.record({
  kind: fc.constant("text" as const),
  text: text.filter((wanted) => wanted !== ""),
  isExact: fc.boolean(),
});
const table = fc.constantFrom("trace_envelopes", "messages", "orchestration_events");
const record = fc.record({ table, text: spelledText(text) });
export const storedSessions = fc.array(fc.array(record, { maxLength: 3 }), { minLength: 1, maxLength: 8 });
export const needles = fc.array(
  fc.tuple(query, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 8 }), fc.constantFrom("", "lower", "upper")),
  { minLength: 6, maxLength: 12 },
);

export type Written = typeof storedSessions extends fc.Arbitrary<infer T> ? T : never;
type Needles = typeof needles extends fc.Arbitrary<infer T> ? T : never;

export function queriesFor(written: Written, wanted: Needles): SearchQuery[] {
  const said = written.flat().map((one) => one.text.said);
  return wanted.map(([query, which, from, length, fold]) => {
    const whole = said[which % Math.max(1, said.length)] ?? "";
    const part = whole.slice(from % Math.max(1, whole.length)).slice(0, length);
    const folded = fold === "lower" ? part.toLowerCase() : fold === "upper" ? part.toUpperCase() : part;
    return folded === "" ? query : { ...query, text: folded };
  });
}

export function holding(written: Written, query: SearchQuery): string[] {
  const names = written.map((records, at) =>
    records.some(({ text }) => holds(text.said, query)) ? `s${at}` : "",
  );
  return names.filter((name) => name !== "");
}
