import { describe, expect, it } from "vitest";
import { extended, nearestPoint, pointByKey, rangeOf } from "./chart-point.js";

describe("the point that is looked at", () => {
  it("is the nearest one, the first of several in one place, and none of no points", () => {
    const places = [0, 0.1, 0.1, 0.4, 1];
    expect([-1, 0.04, 0.06, 0.2, 0.3, 0.7, 0.71, 2].map((place) => nearestPoint(places, place))).toEqual([
      0, 0, 1, 1, 3, 3, 4, 4,
    ]);
    expect(nearestPoint([0.5, 0.5], 1)).toBe(0);
    expect(nearestPoint([], 0.5)).toBe(-1);
  });

  it("is led to the next ones by a slider's keys, to both ends, and no further", () => {
    expect(
      ["ArrowLeft", "ArrowRight", "Home", "End", "PageDown", "PageUp"].map((key) => pointByKey(key, 3, 12)),
    ).toEqual([2, 4, 0, 11, 0, 11]);
    expect(pointByKey("ArrowRight", 11, 12)).toBe(11);
    expect(pointByKey("x", 3, 12)).toBeUndefined();
    expect(pointByKey("End", 0, 0)).toBeUndefined();
  });
});

describe("calls that are selected by Shift", () => {
  it("reach from the call where that began to the one that moves, on either side of it", () => {
    const first = extended(undefined, undefined, 5, 1, 12);
    expect(rangeOf(first.anchor, first.cursor)).toEqual({ from: 5, to: 6 });
    const back = extended(first, { from: 5, to: 6 }, 6, -2, 12);
    expect(rangeOf(back.anchor, back.cursor)).toEqual({ from: 4, to: 5 });
    const none = extended(back, { from: 4, to: 5 }, 5, 1, 12);
    expect(rangeOf(none.anchor, none.cursor)).toBeUndefined();
  });

  it("go on from what was selected by a pointer, and stay within the calls", () => {
    const stale = { anchor: 1, cursor: 2 };
    expect(extended(stale, { from: 3, to: 8 }, 8, 100, 12)).toEqual({ anchor: 3, cursor: 11 });
  });
});
