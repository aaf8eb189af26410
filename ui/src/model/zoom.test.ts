import { describe, expect, it } from "vitest";
import { timeAxis } from "./time-axis.js";
import { zoomed } from "./zoom.js";

const HOUR = 3_600_000;

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
