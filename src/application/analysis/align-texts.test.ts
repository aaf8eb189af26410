import { expect, it } from "vitest";
import { textAligner } from "./align-texts.js";

it("texts are aligned the same when they come again, between other ends", () => {
  const align = textAligner();
  const runs = align(["x", "a", "b", "c"], ["y", "b", "c", "d"]);
  expect(runs).toEqual([{ a: 2, b: 1, length: 2 }]);
  expect(align(["0", "x", "a", "b", "c", "9"], ["0", "y", "b", "c", "d", "9"])).toEqual([
    { a: 0, b: 0, length: 1 },
    ...runs!.map(({ a, b, length }) => ({ a: a + 1, b: b + 1, length })),
    { a: 5, b: 5, length: 1 },
  ]);
});

it("a text that has nothing of the other one is all new, up to a bound of work", () => {
  const align = textAligner();
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`);
  expect([align([], lines(3_000)), align(lines(3_000), [])]).toEqual([[], []]);
  expect([align([], lines(3_001)), align(lines(3_001), [])]).toEqual([undefined, undefined]);
  expect(align(["a", "z"], ["a", "b", "z"])).toEqual([
    { a: 0, b: 0, length: 1 },
    { a: 1, b: 2, length: 1 },
  ]);
});
