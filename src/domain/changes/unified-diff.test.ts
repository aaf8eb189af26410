import { describe, expect, it } from "vitest";
import { parseUnifiedDiff } from "./unified-diff.js";

describe("parseUnifiedDiff", () => {
  it("reads the hunks behind any header", () => {
    const text = [
      "--- a\tbefore",
      "+++ a\tafter",
      "@@ -1,2 +1,3 @@",
      " a",
      "--- b",
      "+++ c",
      "+d",
      "@@ -9 +10 @@ function f()",
      "-x",
      "\\ No newline at end of file",
      "+y",
      "\\ No newline at end of file",
      "",
    ].join("\n");
    expect(parseUnifiedDiff(text)).toMatchObject([
      {
        oldStart: 1,
        newStart: 1,
        lines: [
          { type: "context", text: "a" },
          { type: "removed", text: "-- b" },
          { type: "added", text: "++ c" },
          { type: "added", text: "d" },
        ],
      },
      {
        oldStart: 9,
        newStart: 10,
        place: "function f()",
        lines: [
          { type: "removed", text: "x" },
          { type: "note", text: "No newline at end of file" },
          { type: "added", text: "y" },
          { type: "note", text: "No newline at end of file" },
        ],
      },
    ]);
  });

  it("reads no broken diff", () => {
    for (const text of [
      "",
      "no diff",
      "@@ -1 +1 @@",
      "@@ -1 +1 @@\n-x",
      "@@ -1 +1 @@\n-x\n+y\n+z",
      "@@ -1 +1 @@\n-x\n?y",
      "@@ one @@\n-x",
    ]) {
      expect(parseUnifiedDiff(text), text).toBeUndefined();
    }
  });
});
