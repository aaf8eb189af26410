import { describe, expect, it } from "vitest";
import { axisTicks, idleGaps, instantAt, placeOf, timeAxis } from "./time-axis.js";

const HOUR = 3_600_000;

describe("the time axis", () => {
  it("runs evenly where nothing is folded", () => {
    const axis = timeAxis(1000, 3000, []);
    expect([1000, 1500, 3000, 0, 9000].map((at) => placeOf(axis, at))).toEqual([0, 0.25, 1, 0, 1]);
    expect(instantAt(axis, 0.25)).toBe(1500);
  });

  it("gives the room of a long gap to the work around it", () => {
    const gaps = idleGaps([
      { from: 0, to: 60_000 },
      { from: HOUR, to: HOUR + 60_000 },
    ]);
    expect(gaps).toEqual([{ from: 60_000, to: HOUR }]);
    const axis = timeAxis(0, HOUR + 60_000, gaps);
    expect(placeOf(axis, 60_000)).toBeCloseTo(0.496, 3);
    expect(placeOf(axis, HOUR)).toBeCloseTo(0.504, 3);
    expect(placeOf(axis, HOUR + 60_000)).toBeCloseTo(1, 6);
    for (const at of [0, 30_000, HOUR / 2, HOUR + 1])
      expect(instantAt(axis, placeOf(axis, at))).toBeCloseTo(at, 0);
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

  it("stands on a session of one instant", () => {
    expect(placeOf(timeAxis(5, 5, []), 5)).toBe(0);
  });
});
