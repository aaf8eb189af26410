import { expect, it } from "vitest";
import { contextBars } from "./context-bars.js";

it("calls that share a bar are shown by the largest of them, and a compaction among them is kept", () => {
  const rows = [3, 9, 4, 1, 2].map((size, index) => ({ size, index, compacted: index === 3 }));
  const sizeOf = ({ size }: { readonly size: number }) => size;
  expect(contextBars(rows, sizeOf, 9).map(({ row, from, to }) => [row.index, from, to])).toEqual([
    [0, 0, 0],
    [1, 1, 1],
    [2, 2, 2],
    [3, 3, 3],
    [4, 4, 4],
  ]);
  expect(contextBars(rows, sizeOf, 3)).toEqual([
    { row: rows[1], from: 0, to: 1, isCompacted: false },
    { row: rows[2], from: 2, to: 3, isCompacted: true },
    { row: rows[4], from: 4, to: 4, isCompacted: false },
  ]);
});
