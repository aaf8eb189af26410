import { describe, expect, it } from "vitest";
import { repeatedRows } from "./repeated-rows.js";
import type { Waste } from "./waste.js";

describe("the rows of what was done again", () => {
  const call = (name: string, stepIds: readonly string[], inARow = 1) => ({
    name,
    subject: "a.ts",
    times: 2,
    unchanged: 1,
    inARow,
    afterCompaction: 0,
    stepIds,
  });

  it("name a file that one call read again once, with how often it was in a row", () => {
    const waste = {
      repeatedCalls: { groups: [call("Bash", ["b1", "b2"]), call("Read", ["r1", "r2"], 3)] },
      rereadFiles: {
        files: [{ path: "a.ts", reads: 3, unchanged: 2, afterCompaction: 0, stepIds: ["r1", "r2", "r3"] }],
      },
    } as unknown as Waste;
    expect(repeatedRows(waste)).toMatchObject([
      { kind: "call", label: "Bash a.ts", times: 2, inARow: 1, stepId: "b2" },
      { kind: "file", label: "a.ts", times: 3, unchanged: 2, inARow: 3, stepId: "r2" },
    ]);
  });
});
