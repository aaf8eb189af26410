import { describe, expect, it } from "vitest";
import { differenceOfLists, differenceOfSets } from "./record-difference.js";

const keys = (text: string) => text.split("");

describe("The difference between stored records and a source's", () => {
  it("is what was added, wherever, of sets", () => {
    expect(differenceOfSets(keys("abc"), keys("abc"))).toEqual({ changed: [], added: [] });
    expect(differenceOfSets(keys("abc"), keys("axbcy"))).toEqual({
      changed: [],
      added: [
        { at: 1, key: "x" },
        { at: 4, key: "y" },
      ],
    });
  });

  it("is what changed, in the place of what is there no more, and the rest behind", () => {
    expect(differenceOfSets(keys("abc"), keys("cxay"))).toEqual({
      changed: [{ at: 1, key: "x", position: 1 }],
      added: [{ at: 3, key: "y" }],
    });
    expect(differenceOfLists(keys("abc"), keys("axcy"))).toEqual({
      changed: [{ at: 1, key: "x", position: 1 }],
      added: [{ at: 3, key: "y" }],
    });
  });

  it("is not told where there is less than was, or most of it changed", () => {
    expect(differenceOfSets(keys("abc"), keys("ab"))).toBeUndefined();
    expect(differenceOfLists(keys("abc"), keys("ab"))).toBeUndefined();
    const many = Array.from({ length: 20 }, (_, i) => `a${i}`);
    const others = many.map((key, i) => (i < 11 ? `b${i}` : key));
    expect(differenceOfSets(many, others)).toBeUndefined();
    expect(differenceOfLists(many, others)).toBeUndefined();
  });

  it("is not told of lists in another order, as keys are of one record each", () => {
    expect(differenceOfLists(keys("abc"), keys("bac"))).toBeUndefined();
    expect(differenceOfLists(keys("bc"), keys("abc"))).toBeUndefined();
  });
});
