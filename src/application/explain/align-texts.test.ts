import { expect, it } from "vitest";
import { textAligner } from "./align-texts.js";

it("texts are aligned the same when they come again, between other ends", () => {
  const align = textAligner();
  const pairs = align(["x", "a", "b", "c"], ["y", "b", "c", "d"]);
  expect(pairs).toEqual([
    [2, 1],
    [3, 2],
  ]);
  expect(align(["0", "x", "a", "b", "c", "9"], ["0", "y", "b", "c", "d", "9"])).toEqual([
    [0, 0],
    ...pairs!.map(([a, b]) => [a + 1, b + 1]),
    [5, 5],
  ]);
});
