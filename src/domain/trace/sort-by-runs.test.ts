import { describe, expect, it } from "vitest";
import { sortByRuns } from "./sort-by-runs.js";

/** The most comparisons between two pauses of a sort. */
function longestStep(values: readonly number[]): number {
  const order = Uint32Array.from(values.keys());
  let compared = 0;
  let longest = 0;
  const steps = sortByRuns(order, (a, b) => {
    compared++;
    return values[a]! - values[b]! || a - b;
  });
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    longest = Math.max(longest, compared);
    compared = 0;
  }
  const sorted = Array.from(order, (position) => values[position]!);
  expect(sorted).toEqual(values.toSorted((a, b) => a - b));
  return Math.max(longest, compared);
}

describe("sortByRuns", () => {
  const COUNT = 50_000;

  it.each<readonly [order: string, value: (i: number) => number]>([
    ["in order", (i) => i],
    ["the other way round", (i) => COUNT - i],
    ["in pairs", (i) => (i % 2) * COUNT + i],
    ["mixed", (i) => (i * 7_919) % COUNT],
  ])("sorts what comes %s, and pauses all the time", (_, value) => {
    expect(longestStep(Array.from({ length: COUNT }, (_unused, i) => value(i)))).toBeLessThan(5_000);
  });
});
