import { describe, expect, it } from "vitest";
import { chartScale, heightOf } from "./chart-scale.js";

describe("the axis of a chart of contexts", () => {
  it("has round values, no more than there is room for, and room above the highest", () => {
    expect(chartScale(87_000, undefined, 4)).toMatchObject({ ticks: [25_000, 50_000, 75_000] });
    expect(chartScale(87_000, undefined, 2).ticks).toEqual([25_000, 75_000]);
    expect(chartScale(87_000, undefined, 1).ticks).toEqual([75_000]);
    expect(heightOf(chartScale(87_000, undefined, 4), 87_000)).toBeLessThan(1);
  });

  it("reaches to the model's window where a context comes near it, without a value on top of the line", () => {
    const scale = chartScale(142_000, 200_000, 4);
    expect(scale).toMatchObject({ windowAt: 200_000, windowAbove: undefined });
    expect(scale.top).toBeGreaterThan(200_000);
    expect(scale.ticks).toEqual([100_000]);
  });

  it("leaves a window out that would make it flat, and one that a call has read more than", () => {
    expect(chartScale(50_000, 1_000_000, 4)).toMatchObject({ windowAt: undefined, windowAbove: 1_000_000 });
    expect(chartScale(50_000, 1_000_000, 4).top).toBeLessThan(60_000);
    expect(chartScale(300_000, 200_000, 4)).toMatchObject({ windowAt: undefined, windowAbove: undefined });
  });

  it("is there where nothing is counted", () => {
    expect(chartScale(0, undefined, 4)).toMatchObject({ ticks: [1] });
    expect(heightOf(chartScale(0, undefined, 4), 0)).toBe(0);
  });
});
