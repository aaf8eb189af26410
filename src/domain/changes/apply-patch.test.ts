import { describe, expect, it } from "vitest";
import { parseApplyPatch } from "./apply-patch.js";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("parseApplyPatch", () => {
  it("reads files that are added, changed, moved and deleted", () => {
    const files = parseApplyPatch(
      patch(
        "*** Add File: new.txt",
        "+first",
        "+",
        "*** Update File: old.py",
        "*** Move to: moved.py",
        "@@ class A",
        "@@ def f():",
        " kept",
        "-removed",
        "+added",
        "",
        "@@",
        "-last",
        "*** End of File",
        "*** Delete File: gone.txt",
      ),
    );
    expect(files?.map(({ type, path, movedTo }) => [type, path, movedTo])).toEqual([
      ["added", "new.txt", undefined],
      ["updated", "old.py", "moved.py"],
      ["deleted", "gone.txt", undefined],
    ]);
    expect(files?.[0]?.hunks).toMatchObject([
      {
        newStart: 1,
        lines: [
          { type: "added", text: "first" },
          { type: "added", text: "" },
        ],
      },
    ]);
    expect(files?.[1]?.hunks).toMatchObject([
      {
        oldStart: undefined,
        place: "class A › def f():",
        lines: [
          { type: "context", text: "kept" },
          { type: "removed", text: "removed" },
          { type: "added", text: "added" },
          { type: "context", text: "" },
        ],
      },
      { place: "", lines: [{ type: "removed", text: "last" }] },
    ]);
  });

  it("reads no broken patch", () => {
    for (const text of [
      "",
      "*** Begin Patch",
      patch(),
      patch("+no file"),
      patch("*** Update File: a", "no sign"),
      patch("*** Add File: a", " no added line"),
      patch("*** Rename File: a"),
      patch("*** Update File: a", "+x").replace("*** End Patch", "*** End"),
    ]) {
      expect(parseApplyPatch(text), text).toBeUndefined();
    }
  });

  it("reads very many files in a pass", () => {
    const files = Array.from({ length: 50_000 }, (_, i) => `*** Delete File: ${i}`);
    expect(parseApplyPatch(patch(...files))).toHaveLength(50_000);
  });
});
