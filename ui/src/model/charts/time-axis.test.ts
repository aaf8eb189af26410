import { describe, expect, it } from "vitest";
import { axisTicks, idleGaps, instantAt, positionOf, timeAxis, zoomed } from "./time-axis.js";

const HOUR = 3_600_000;

describe("a range that ends in a pause", () => {
  it("folds what lies in it of the pause, as the whole does", () => {
    const { segments } = timeAxis(0, 5000, [{ from: 1000, to: 100_000 }]);
    expect(segments.map(({ from, to, folded }) => [from, to, folded])).toEqual([
      [0, 1000, false],
      [1000, 5000, true],
    ]);
    expect(segments[0]!.x1).toBeGreaterThan(0.9);
    expect(segments.at(-1)!.x1).toBeCloseTo(1);
  });
});

describe("the time axis", () => {
  it("runs evenly where nothing is folded", () => {
    const axis = timeAxis(1000, 3000, []);
    expect([1000, 1500, 3000, 0, 9000].map((at) => positionOf(axis, at))).toEqual([0, 0.25, 1, 0, 1]);
    expect(instantAt(axis, 0.25)).toBe(1500);
  });

  it("gives the room of a long gap to the work around it", () => {
    const gaps = idleGaps([
      { from: 0, to: 60_000 },
      { from: HOUR, to: HOUR + 60_000 },
    ]);
    expect(gaps).toEqual([{ from: 60_000, to: HOUR }]);
    const axis = timeAxis(0, HOUR + 60_000, gaps);
    expect(positionOf(axis, 60_000)).toBeCloseTo(0.496, 3);
    expect(positionOf(axis, HOUR)).toBeCloseTo(0.504, 3);
    expect(positionOf(axis, HOUR + 60_000)).toBeCloseTo(1, 6);
    for (const at of [0, 30_000, HOUR / 2, HOUR + 1])
      expect(instantAt(axis, positionOf(axis, at))).toBeCloseTo(at, 0);
  });

  it("leaves short gaps alone", () => {
    expect(
      idleGaps([
        { from: 0, to: 10 },
        { from: 5000, to: 6000 },
      ]),
    ).toEqual([]);
  });

  it("has round ticks, none inside a folded gap", () => {
    const axis = timeAxis(0, HOUR + 60_000, [{ from: 60_000, to: HOUR }]);
    const ticks = axisTicks(axis, 8);
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks.every(({ at }) => at <= 60_000 || at >= HOUR)).toBe(true);
  });

  it("maps a session of one instant to its beginning", () => {
    expect(positionOf(timeAxis(5, 5, []), 5)).toBe(0);
  });
});

describe("zooming", () => {
  const axis = timeAxis(0, 8000, []);

  it("halves what is shown, around its middle or around what is selected", () => {
    expect(zoomed(axis, undefined, undefined, 2)).toEqual({ from: 2000, to: 6000 });
    expect(zoomed(axis, { from: 2000, to: 6000 }, 3500, 2)).toEqual({ from: 2500, to: 4500 });
    expect(zoomed(axis, { from: 2000, to: 6000 }, 7500, 2)).toEqual({ from: 3000, to: 5000 });
  });

  it("stays inside the session", () => {
    expect(zoomed(axis, undefined, 100, 2)).toEqual({ from: 0, to: 4000 });
    expect(zoomed(axis, { from: 6000, to: 8000 }, undefined, 1 / 2)).toEqual({ from: 4000, to: 8000 });
  });

  it("comes back to the whole session", () => {
    expect(zoomed(axis, { from: 2000, to: 6000 }, undefined, 1 / 2)).toBeUndefined();
    expect(zoomed(axis, undefined, undefined, 1 / 2)).toBeUndefined();
  });

  it("ends where there is nothing more to see", () => {
    const close = { from: 2000, to: 2015 };
    expect(zoomed(axis, close, undefined, 2)).toBe(close);
  });

  it("counts folded idle time for the little room that it has", () => {
    const folded = timeAxis(0, HOUR + 60_000, [{ from: 60_000, to: HOUR }]);
    expect(zoomed(folded, undefined, 0, 2)!.to).toBeGreaterThan(60_000);
    expect(zoomed(folded, undefined, 0, 4)!.to).toBeLessThan(31_000);
  });
});
