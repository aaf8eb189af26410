import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/soak.js";
import { compareLines } from "./text-changes.js";

/** The fewest edits, by the table that every textbook has. */
function fewestEdits(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, line] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      next.push(line === other ? row[j]! : 1 + Math.min(row[j + 1]!, next[j]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 14 });

describe("compareLines", () => {
  it("leads from one text to the other, with as few edits as can be", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const change = compareLines(before, after, 100)!;
        const without = (type: string) => change.filter((line) => line.type !== type).map(({ text }) => text);
        expect(without("added")).toEqual(before);
        expect(without("removed")).toEqual(after);
        expect(change.filter(({ type }) => type !== "context")).toHaveLength(fewestEdits(before, after));
      }),
      { numRuns: runs(2000) },
    );
  });

  it("puts what is removed before what is added", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const change = compareLines(before, after, 100)!;
        const types = change.map(({ type }) => type[0]).join("");
        expect(types).not.toContain("ar");
      }),
    );
  });

  it("gives up where it takes more edits than it may", () => {
    expect(compareLines(["a", "b"], ["c"], 3)).toHaveLength(3);
    expect(compareLines(["a", "b"], ["c"], 2)).toBeUndefined();
    expect(compareLines([], [], 0)).toEqual([]);
  });
});
