import { afterEach, expect, it, vi } from "vitest";
import type { Matches } from "../../domain/search/text-matches.js";
import { patternFinder } from "./search-batch-for-pattern.js";
import { SlowPatternError } from "./slow-pattern.js";

const PATTERN = "(?:ab|bc|c)*".repeat(60);

afterEach(() => {
  vi.restoreAllMocks();
});

/** On a machine on which a tenth of a second goes by between two looks at the clock. */
function find(text: string): Matches {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 100;
    return now;
  });
  const steps = patternFinder(PATTERN)(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

it("is ended in the middle of a match that takes too long to be found", () => {
  expect(() => find("abccab".repeat(700))).toThrow(SlowPatternError);
});

it("takes its time for each match anew, and for a text that is short", () => {
  expect(find(`${"abccab".repeat(20)} `.repeat(50)).count).toBe(50);
  expect(find("abccab".repeat(100)).count).toBe(1);
});
