import { describe, expect, it } from "vitest";
import { GoneLines, ListedLines } from "./line-matches.js";
import type { OwnedLine } from "./line-owners.js";
import { LineTexts } from "./line-texts.js";

const line = (text: string, by = 0): OwnedLine => ({ text, by, match: "exact" });

describe("lines that a file had before", () => {
  const texts = new LineTexts();
  const gone = new GoneLines(3, texts);
  const locate = (text: string, taken: readonly number[] = []) =>
    (gone.placesOf(new Set([texts.key(text)]), new Set(taken)).get(texts.key(text)) ?? []).map(
      (place) => gone.line(place).by,
    );
  for (let by = 0; by < 20; by++) {
    gone.add(line(by % 2 === 0 ? "even(number);" : "odd( number )", by));
    gone.add(line("}", by));
    gone.trim();
  }

  it("are found by what they say, the last ones alone, and each once", () => {
    expect([gone.end - gone.first, locate("odd(number)"), locate("even(number)")]).toEqual([3, [19], []]);
    expect(locate("odd(number)", [gone.end - 2])).toEqual([]);
  });

  it("are not found by what anybody writes", () => {
    expect([gone.key(gone.end - 1), locate("}")]).toEqual(["}", []]);
  });

  it("are found where a list of the same lines has them", () => {
    const lines = Array.from({ length: 100 }, (_, by) => line(["one(a)", "two(b)", "{"][by % 3]!, by));
    const listed = new ListedLines(lines, texts);
    const same = new GoneLines(1_000, texts);
    for (const one of lines) same.add(one);
    const [wanted, taken] = [new Set(["one(a)", "two(b)", "{", "three(c)"]), new Set([0, 4, 99])];
    expect(same.placesOf(wanted, taken)).toEqual(listed.placesOf(wanted, taken));
    expect(listed.placesOf(wanted, taken).size).toBe(2);
  });
});
