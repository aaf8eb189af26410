import { describe, expect, it } from "vitest";
import { deviationOf, medianOf } from "./group-comparison.js";

describe("a group of sessions", () => {
  it("has a median of what is known", () => {
    expect(medianOf([9, undefined, 1, 4])).toBe(4);
    expect(medianOf([1, 4])).toBe(2.5);
    expect(medianOf([undefined])).toBeUndefined();
  });

  it("has a deviation from it, where there is something to deviate from", () => {
    expect(deviationOf(6, 4)).toBe(0.5);
    expect(deviationOf(0, 4)).toBe(-1);
    expect(deviationOf(3, 0)).toBeUndefined();
    expect(deviationOf(undefined, 4)).toBeUndefined();
  });
});
