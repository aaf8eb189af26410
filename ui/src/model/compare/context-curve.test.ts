import { describe, expect, it } from "vitest";
import type { ComparedSession } from "../../../../src/domain/compare/session-comparison.js";
import { type DrawnCurve, drawnCurves, placesOf, pointAt } from "./context-curve.js";

function session(curve: readonly (readonly [ms: number, tokens: number])[], fromDifference?: number) {
  const points = curve.map(([ms, tokens]) => ({ ms, tokens }));
  const part = fromDifference === undefined ? {} : { fromDifference: { ms: fromDifference } };
  return { ms: 1_000, curve: points, ...part } as unknown as ComparedSession;
}

describe("the curves of two sessions", () => {
  const a = session(
    [
      [0, 100],
      [200, 300],
      [1_000, 200],
    ],
    800,
  );
  const b = session([
    [0, 150],
    [500, 50],
  ]);

  it("share the axes, by calls or by time", () => {
    const [byCall, shorter] = drawnCurves([a, b], "call");
    const places = (curve: DrawnCurve | undefined) => curve?.points.map(({ x }) => x);
    expect(byCall?.points).toMatchObject([
      { x: 0, tokens: 100 },
      { x: 0.5, tokens: 300 },
      { x: 1, tokens: 200 },
    ]);
    expect(places(shorter)).toEqual([0, 0.5]);
    expect(drawnCurves([a, b, a], "time").map(places)).toEqual([
      [0, 0.2, 1],
      [0, 0.5],
      [0, 0.2, 1],
    ]);
    expect([byCall?.peak, shorter?.peak]).toEqual([300, 150]);
  });

  it("are read at every place where one of them has a call: at its last call until then, and at none behind its end", () => {
    const curves = drawnCurves([a, b], "time");
    expect(placesOf(curves)).toEqual([0, 0.2, 0.5, 1]);
    const at = (place: number) => curves.map((curve) => pointAt(curve, place));
    expect(placesOf(curves).map(at)).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [2, -1],
    ]);
  });

  it("are marked where the sessions part, as far as that is known", () => {
    expect(drawnCurves([a, b], "call").map(({ mark }) => mark)).toEqual([0.5, undefined]);
    expect(drawnCurves([a, b], "time")[0]?.mark).toBe(0.2);
    expect(drawnCurves([session([[0, 1]], 0), b], "call")[0]?.mark).toBeUndefined();
  });

  it("are drawn of sessions without calls", () => {
    const empty = session([]);
    expect(drawnCurves([empty, empty], "time")).toEqual([
      { points: [], mark: undefined, peak: 0 },
      { points: [], mark: undefined, peak: 0 },
    ]);
  });
});
