import { expect, it } from "vitest";
import { nextPlace } from "./next-place.js";

it("goes through places in both directions, and says which it is", () => {
  expect(nextPlace([2, 5, 7], 2, 1, false)).toEqual({ place: 5, at: 2, of: 3 });
  expect(nextPlace([2, 5, 7], 6, -1, false)).toEqual({ place: 5, at: 2, of: 3 });
});

it("begins at the first, and backwards at the last", () => {
  expect(nextPlace([2, 5, 7], -1, 1, false)).toEqual({ place: 2, at: 1, of: 3 });
  expect(nextPlace([2, 5, 7], -1, -1, false)).toEqual({ place: 7, at: 3, of: 3 });
});

it("goes around only when it is asked to", () => {
  expect(nextPlace([2, 5], 5, 1, false)).toEqual({ place: undefined, at: 0, of: 2 });
  expect(nextPlace([2, 5], 5, 1, true)).toEqual({ place: 2, at: 1, of: 2 });
  expect(nextPlace([2, 5], 2, -1, true)).toEqual({ place: 5, at: 2, of: 2 });
});

it("finds nothing where there is no place", () => {
  expect(nextPlace([], -1, 1, true)).toEqual({ place: undefined, at: 0, of: 0 });
});
