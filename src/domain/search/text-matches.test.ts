import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/soak.js";
import { type Matches, textFinder } from "./text-matches.js";

function find(text: string, wanted: string, isExact: boolean): Matches {
  const steps = textFinder({ text: wanted, isExact })(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { count: step.value.count, first: step.value.first };
  }
}

/** Every match, by comparing at every place. */
function naive(text: string, wanted: string, isExact: boolean): Matches {
  const same = (a: string, b: string) => (isExact ? a === b : equalUnits(a, b));
  const positions: number[] = [];
  for (let at = 0; at + wanted.length <= text.length; at++) {
    if (at < (positions.at(-1) ?? -wanted.length) + wanted.length) continue;
    if ([...Array(wanted.length).keys()].every((i) => same(text.charAt(at + i), wanted.charAt(i))))
      positions.push(at);
  }
  const [start] = positions;
  return {
    count: positions.length,
    first: start === undefined ? undefined : { start, end: start + wanted.length },
  };
}

/** Two code units, as a regular expression without the flag `u` compares them: by their capital, where that is one unit. */
function equalUnits(a: string, b: string): boolean {
  const folded = (unit: string) => {
    const capital = unit.toUpperCase();
    const isTooFar = unit.charCodeAt(0) >= 128 && capital.charCodeAt(0) < 128;
    return capital.length === 1 && !isTooFar ? capital : unit;
  };
  return folded(a) === folded(b);
}

const text = fc
  .array(fc.constantFrom(..."aAbBßſsSKkİiı.*\\$[(\n\t é\ud83e\udd9c"), { maxLength: 12 })
  .map((units) => units.join(""));

describe("textFinder", () => {
  it("finds what comparing at every place finds, in any case and exactly", () => {
    fc.assert(
      fc.property(
        text,
        text.filter((wanted) => wanted !== ""),
        fc.boolean(),
        (searched, wanted, isExact) => {
          expect(find(searched, wanted, isExact)).toEqual(naive(searched, wanted, isExact));
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it.each([64, 128])("finds matches across the border of two parts at %d Ki code units", (kibi) => {
    for (const shift of [-3, -2, -1, 0]) {
      const before = "x".repeat(kibi * 1024 + shift);
      const first = { start: before.length, end: before.length + 3 };
      expect(find(`${before}ABC${before}`, "abc", false)).toEqual({ count: 1, first });
    }
    expect(find("a".repeat(kibi * 1024 * 2 + 1), "aaa", true).count).toBe(
      Math.floor((kibi * 1024 * 2 + 1) / 3),
    );
  });

  it("pauses in a text that is slow to search", () => {
    const steps = textFinder({ text: `${"a".repeat(999)}b`, isExact: false })("a".repeat(1024 * 1024));
    let pauses = 0;
    while (steps.next().done !== true) pauses++;
    expect(pauses).toBeGreaterThanOrEqual(15);
  });
});
