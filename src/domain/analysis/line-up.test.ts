import { diffArrays } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/soak.js";
import { linedUp } from "./line-up.js";
import type { ComparedConversation } from "./session-comparison.js";

function lineUp(a: readonly number[], b: readonly number[]) {
  const steps = linedUp([Float64Array.from(a), Float64Array.from(b)]);
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done) return { found: step.value, pauses };
  }
}

/** What another implementation says. */
function reference(a: readonly number[], b: readonly number[]): ComparedConversation {
  const parts = [a.length, b.length] as const;
  const pieces = diffArrays([...a], [...b], { maxEditLength: 1_000 });
  if (pieces === undefined) return { parts };
  const changes: [[number, number], [number, number]][] = [];
  let [atA, atB, shared, isOpen] = [0, 0, 0, false];
  for (const { added, removed, count } of pieces) {
    const isChange = added || removed;
    if (isChange && !isOpen) {
      changes.push([
        [atA, atA],
        [atB, atB],
      ]);
    }
    if (!added) atA += count;
    if (!removed) atB += count;
    if (!isChange) shared += count;
    else [changes.at(-1)![0][1], changes.at(-1)![1][1]] = [atA, atB];
    isOpen = isChange;
  }
  return { parts, shared, changes: changes.slice(0, 50) };
}

describe("two conversations that are lined up", () => {
  it("part where another implementation of the algorithm says it, whatever they hold", () => {
    const side = (most: number) => fc.array(fc.integer({ min: 0, max: most }), { maxLength: 60 });
    const sides = fc.integer({ min: 0, max: 12 }).chain((most) => fc.tuple(side(most), side(most)));
    fc.assert(
      fc.property(sides, ([a, b]) => {
        expect(lineUp(a, b).found).toEqual(reference(a, b));
      }),
      { numRuns: runs(5_000) },
    );
  });

  it("may be empty", () => {
    for (const [a, b] of [
      [[], []],
      [[], [1, 2]],
      [[1, 2], []],
    ] as const) {
      expect(lineUp(a, b).found).toEqual(reference(a, b));
    }
  });

  it("are told part by part up to 1,000 edits, with a pause after each", () => {
    const same = Array.from({ length: 5_000 }, (_, i) => i);
    const other = (changed: number) =>
      same.map((value, i) => (i % 9 === 0 && i < 9 * changed ? -value - 1 : value));
    const most = lineUp(same, other(500));
    expect(most.found).toEqual(reference(same, other(500)));
    expect(most).toMatchObject({ found: { shared: 4_500 }, pauses: 1_000 });
    expect(lineUp(same, other(501)).found).toEqual({ parts: [5_000, 5_000] });
  });
});
