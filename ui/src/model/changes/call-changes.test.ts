import { describe, expect, it } from "vitest";
import { type FileChange, lineCounts } from "../../../../src/domain/changes/file-change.js";
import { callChanges } from "./call-changes.js";

const changes = (name: string, input: unknown, end = {}) => callChanges({ name, input, end });

/** A change as a patch is written, with the number of the first line of each hunk. */
function written(files: readonly FileChange[] | undefined): string[] | undefined {
  const signs = { context: " ", removed: "-", added: "+", note: "\\" };
  return files?.flatMap(({ type, path, hunks }) => [
    `${type} ${path}`,
    ...hunks.flatMap(({ oldStart, newStart, lines }) => [
      `@@ ${oldStart} ${newStart}`,
      ...lines.map((line) => signs[line.type] + line.text),
    ]),
  ]);
}

describe("callChanges", () => {
  it("compares the two texts of an edit, and keeps what else the input says", () => {
    const change = changes("Edit", {
      file_path: "a.ts",
      old_string: "one\ntwo\nthree",
      new_string: "one\n2\nthree",
      replace_all: false,
      instruction: "count in digits",
    });
    expect(written(change?.files)).toEqual([
      "updated a.ts",
      "@@ undefined undefined",
      " one",
      "-two",
      "+2",
      " three",
    ]);
    expect(change?.rest).toEqual({ instruction: "count in digits" });
  });

  it("reads an edit that removes or inserts everything", () => {
    const edit = (before: string, after: string) =>
      written(changes("replace", { file_path: "a", old_string: before, new_string: after })?.files);
    expect(edit("gone\n", "")).toEqual(["updated a", "@@ undefined undefined", "-gone"]);
    expect(edit("", "new")).toEqual(["updated a", "@@ undefined undefined", "+new"]);
    expect(edit("same", "same")).toEqual(["updated a"]);
  });

  it("reads each of several edits, and that one replaces every occurrence", () => {
    const edits = [
      { old_string: "a", new_string: "b", replace_all: true },
      { old_string: "c", new_string: "d" },
    ];
    const change = changes("MultiEdit", { file_path: "x", edits });
    expect(change?.files[0]?.hunks.map(({ everywhere }) => everywhere)).toEqual([true, false]);
    expect(lineCounts(change!.files)).toEqual({ added: 2, removed: 2 });
    expect(changes("MultiEdit", { file_path: "x", edits: [...edits, { old_string: "e" }] })).toBeUndefined();
  });

  it("shows a written file as lines that are added, from the first on", () => {
    const change = changes("write_file", { file_path: "a.md", content: "# A\n\ntext\n" });
    expect(written(change?.files)).toEqual(["written a.md", "@@ 1 1", "+# A", "+", "+text"]);
    expect(changes("SendMail", { path: "a", content: "b" })).toBeUndefined();
  });

  it("reads a patch that is the input, an argument, or a command's text", () => {
    const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
    const expected = ["deleted a"];
    expect(written(changes("apply_patch", patch)?.files)).toEqual(expected);
    expect(written(changes("apply_patch", { input: patch })?.files)).toEqual(expected);
    const command = ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF\n`];
    const change = changes("shell", { command, workdir: "/w" });
    expect(written(change?.files)).toEqual(expected);
    expect(change?.rest).toEqual({ workdir: "/w" });
  });

  it("leaves a command that does more than apply a patch as it is", () => {
    const patch = "apply_patch <<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF";
    expect(changes("shell", { command: `rm -r b; ${patch}` })).toBeUndefined();
    expect(changes("shell", { command: `${patch}\nrm -r b` })).toBeUndefined();
  });

  it("prefers what was recorded of the change to what was asked for", () => {
    const input = { file_path: "a", old_string: "x", new_string: "y" };
    const structuredPatch = [{ oldStart: 70, oldLines: 1, newStart: 71, newLines: 1, lines: ["-x", "+y"] }];
    const end = { record: { toolUseResult: { filePath: "/w/a", structuredPatch } } };
    expect(written(changes("Edit", input, end)?.files)).toEqual(["updated /w/a", "@@ 70 71", "-x", "+y"]);
  });

  it("falls back to what was asked for where the record is broken", () => {
    const input = { file_path: "a", old_string: "x", new_string: "y" };
    const lines = ["updated a", "@@ undefined undefined", "-x", "+y"];
    const result = (patch: unknown) => ({
      record: { toolUseResult: { filePath: "a", structuredPatch: patch } },
    });
    for (const end of [
      result("no list"),
      result([]),
      result([{ oldStart: 1, newStart: 1, lines: ["?x"] }]),
      result([{ oldStart: "1", newStart: 1, lines: [] }]),
      { changes: { a: { type: "update", unified_diff: "@@ -1 +1 @@\n-x" } } },
      { changes: {} },
      { resultDisplay: { filePath: "a", fileDiff: "no diff" } },
      { resultDisplay: "a text" },
    ]) {
      expect(written(changes("Edit", input, end)?.files)).toEqual(lines);
    }
  });

  it("reads the changes that Codex and Gemini CLI record", () => {
    const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
    const codex = {
      changes: {
        "/w/a": { type: "update", unified_diff: "@@ -3 +3 @@ f()\n-x\n+y\n", move_path: "/w/b" },
        "/w/c": { type: "add", content: "new\n" },
        "/w/d": { type: "delete", content: "old\n" },
      },
    };
    const change = changes("apply_patch", patch, codex);
    expect(written(change?.files)).toEqual([
      "updated /w/a",
      "@@ 3 3",
      "-x",
      "+y",
      "added /w/c",
      "@@ 1 1",
      "+new",
      "deleted /w/d",
      "@@ 1 1",
      "-old",
    ]);
    expect(change?.files[0]).toMatchObject({ movedTo: "/w/b", hunks: [{ place: "f()" }] });
    const fileDiff = "Index: a\n===\n--- a\tCurrent\n+++ a\tProposed\n@@ -1,1 +1,2 @@\n x\n+y\n";
    const gemini = { resultDisplay: { fileDiff, filePath: "/w/a", isNewFile: false } };
    const input = { file_path: "a", content: "x\ny\n" };
    expect(written(changes("write_file", input, gemini)?.files)).toEqual([
      "updated /w/a",
      "@@ 1 1",
      " x",
      "+y",
    ]);
  });

  it("changes nothing by any other input", () => {
    for (const input of [undefined, null, 7, [], "ls", {}, { command: "ls" }, { file_path: "a" }]) {
      expect(changes("Read", input)).toBeUndefined();
    }
  });

  it("are all lines of texts that have nothing in common", () => {
    const text = (word: string) => Array.from({ length: 15_000 }, (_, i) => `${word} ${i}`).join("\n");
    const change = changes("Edit", { file_path: "a", old_string: text("old"), new_string: text("new") });
    expect(lineCounts(change!.files)).toEqual({ added: 15_000, removed: 15_000 });
    expect(change?.files[0]?.hunks[0]?.lines.findIndex(({ type }) => type === "added")).toBe(15_000);
  });
});
