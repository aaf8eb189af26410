import { expect, it } from "vitest";
import { visibleChanges } from "./visible-changes.js";

const written = (content: string) =>
  visibleChanges({ name: "Write", input: { file_path: "a.ts", content }, end: {} });

const linesOf = async (content: string) => {
  const { files, cut } = (await written(content))!;
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  return {
    cut,
    lines: lines.length,
    added: files[0]!.added,
    longest: Math.max(...lines.map(({ text }) => text.length)),
  };
};

it("a change is shown whole where it is short", async () => {
  expect(await linesOf("one\ntwo\n")).toEqual({ cut: false, lines: 2, added: 2, longest: 3 });
  expect(await linesOf("x\n".repeat(4_000))).toEqual({ cut: false, lines: 4_000, added: 4_000, longest: 1 });
});

it("a change says that it is cut where it has too many lines, or too long ones", async () => {
  expect(await linesOf("x\n".repeat(4_001))).toEqual({ cut: true, lines: 4_000, added: 4_001, longest: 1 });
  expect(await linesOf("x".repeat(2_001))).toEqual({ cut: true, lines: 1, added: 1, longest: 2_001 });
});
