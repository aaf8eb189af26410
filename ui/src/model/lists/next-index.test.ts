import { expect, it } from "vitest";
import { nextIndex } from "./next-index.js";

it("goes through indexes in both directions, and says which it is", () => {
  expect(nextIndex([2, 5, 7], 2, 1, false)).toEqual({ index: 5, at: 2, of: 3 });
  expect(nextIndex([2, 5, 7], 6, -1, false)).toEqual({ index: 5, at: 2, of: 3 });
});

it("begins at the first, and backwards at the last", () => {
  expect(nextIndex([2, 5, 7], -1, 1, false)).toEqual({ index: 2, at: 1, of: 3 });
  expect(nextIndex([2, 5, 7], -1, -1, false)).toEqual({ index: 7, at: 3, of: 3 });
});

it("goes around only when it is asked to", () => {
  expect(nextIndex([2, 5], 5, 1, false)).toEqual({ index: undefined, at: 0, of: 2 });
  expect(nextIndex([2, 5], 5, 1, true)).toEqual({ index: 2, at: 1, of: 2 });
  expect(nextIndex([2, 5], 2, -1, true)).toEqual({ index: 5, at: 2, of: 2 });
});

it("finds nothing where there is no index", () => {
  expect(nextIndex([], -1, 1, true)).toEqual({ index: undefined, at: 0, of: 0 });
});
