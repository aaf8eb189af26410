import { describe, expect, it } from "vitest";
import { timeAxis } from "../charts/time-axis.js";
import { barBounds, partOfAxis, quietStretches, stretchOf } from "./rows-axis.js";

const row = (at: number, durationMs: number, more: object = {}) => ({
  at,
  durationMs,
  state: "done",
  children: 0,
  folded: false,
  ...more,
});

describe("the stretch of the rows on the screen", () => {
  it("reaches from the first start to the last end", () => {
    expect(stretchOf([row(500, 20), row(100, 900), row(600, 10)])).toEqual({ from: 100, to: 1000 });
    expect(stretchOf([])).toBeUndefined();
  });

  it("takes of an unfolded row the start alone, because its parts have rows", () => {
    const turn = row(100, 1_000_000, { children: 3 });
    expect(stretchOf([turn, row(200, 50)])).toEqual({ from: 100, to: 250 });
    expect(stretchOf([{ ...turn, folded: true }, row(200, 50)])).toEqual({ from: 100, to: 1_000_100 });
  });

  it("is not stretched by a step of long ago that never ended", () => {
    const open = row(0, 1_000_000, { state: "open" });
    expect(stretchOf([open, row(100, 300)])).toEqual({ from: 0, to: 500 });
    expect(stretchOf([open])).toEqual({ from: 0, to: 1_000_000 });
    expect(stretchOf([row(0, 450, { state: "open" }), row(100, 300)])).toEqual({ from: 0, to: 450 });
  });
});

describe("a part of an axis", () => {
  const complete = timeAxis(0, 10_000, []).segments;

  it("gives all of its width to the stretch, but for what is folded in it", () => {
    const within = partOfAxis(complete, { from: 200, to: 400 }, []);
    expect(within.segments).toEqual([{ from: 200, to: 400, x0: 0, x1: 1, folded: false }]);
    const over = partOfAxis(complete, { from: 800, to: 9200 }, [{ from: 1000, to: 9000 }]);
    expect(over.segments.map(({ folded }) => folded)).toEqual([false, true, false]);
    expect(over.segments[1]!.x1 - over.segments[1]!.x0).toBeCloseTo(0.025, 6);
  });

  it("never leaves the axis, and has a length for an instant", () => {
    expect(partOfAxis(complete, { from: -500, to: 20_000 }, []).segments).toEqual(complete);
    for (const at of [0, 5000, 10_000]) {
      const { segments } = partOfAxis(complete, { from: at, to: at }, []);
      expect(segments.at(-1)!.to - segments[0]!.from).toBe(10);
      expect(segments[0]!.from).toBeGreaterThanOrEqual(0);
      expect(segments.at(-1)!.to).toBeLessThanOrEqual(10_000);
    }
  });

  it("is the whole where the whole is an instant", () => {
    const instant = timeAxis(700, 700, []).segments;
    expect(partOfAxis(instant, { from: 700, to: 700 }, []).segments).toEqual(instant);
  });
});

describe("the quiet stretches of the rows on the screen", () => {
  const MINUTE = 60_000;

  it("are long times in which nothing begins or ends, whether or not something runs", () => {
    const rows = [row(0, 2000), row(2000, 7 * MINUTE), row(10 * MINUTE, 3000)];
    const visible = { from: 0, to: 10 * MINUTE + 3000 };
    expect(quietStretches(rows, visible)).toEqual([
      { from: 2000, to: 2000 + 7 * MINUTE },
      { from: 2000 + 7 * MINUTE, to: 10 * MINUTE },
    ]);
  });

  it("are none of short times, and none of times that leave room for the others", () => {
    expect(quietStretches([row(0, 100), row(50_000, 100)], { from: 0, to: 50_100 })).toEqual([]);
    const even = Array.from({ length: 10 }, (_, i) => row(i * MINUTE, MINUTE));
    expect(quietStretches(even, { from: 0, to: 10 * MINUTE })).toEqual([]);
  });

  it("give the room to the other bars", () => {
    const rows = [row(0, 2000), row(2000, 7 * MINUTE), row(2000 + 7 * MINUTE, 2000)];
    const visible = { from: 0, to: 4000 + 7 * MINUTE };
    const axis = partOfAxis(timeAxis(0, visible.to, []).segments, visible, quietStretches(rows, visible));
    expect(barBounds(axis, 0, 2000)!.x1).toBeGreaterThan(0.4);
  });
});

describe("the place of a bar", () => {
  const axis = timeAxis(100, 200, []);

  it("lies between 0 and 1, and says where the bar goes on", () => {
    expect(barBounds(axis, 125, 50)).toEqual({ x0: 0.25, x1: 0.75, cut: "" });
    expect(barBounds(axis, 50, 100)).toEqual({ x0: 0, x1: 0.5, cut: "start" });
    expect(barBounds(axis, 150, 100)).toEqual({ x0: 0.5, x1: 1, cut: "end" });
    expect(barBounds(axis, 0, 1000)).toEqual({ x0: 0, x1: 1, cut: "both" });
  });

  it("is nowhere for what lies beside the axis", () => {
    expect(barBounds(axis, 0, 99)).toBeUndefined();
    expect(barBounds(axis, 201, 5)).toBeUndefined();
    expect(barBounds(axis, 200, 0)).toEqual({ x0: 1, x1: 1, cut: "" });
  });
});
