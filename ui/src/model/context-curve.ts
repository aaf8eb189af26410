import type { ComparedSession } from "../../../src/domain/compare/session-comparison.js";

/** The shared axis of two curves: number of preceding calls, or elapsed time. */
export type CurveAxis = "call" | "time";

/** The contexts of a session, from 0 at the left of the chart to 1 at its right. */
export interface DrawnCurve {
  readonly points: readonly CurvePoint[];
  /** The position where the sessions diverge; `undefined` if it is not available. */
  readonly mark: number | undefined;
  readonly peak: number;
}

interface CurvePoint {
  readonly x: number;
  /** Milliseconds since the session began. */
  readonly ms: number;
  readonly tokens: number;
}

/** Maximum number of points of a curve. A curve of more calls shows their highest and lowest. */
const MOST_POINTS = 500;

/** The number of the call that a point is of, counted from 1; `undefined` where the curve has not all of them. */
export function callNumber({ points }: DrawnCurve, index: number): number | undefined {
  return points.length < MOST_POINTS ? index + 1 : undefined;
}

/** The contexts of sessions at each of their model calls, on the same axis. */
export function drawnCurves(sessions: readonly ComparedSession[], axis: CurveAxis): readonly DrawnCurve[] {
  const width = Math.max(1, ...sessions.map((session) => lengthOf(session, axis)));
  return sessions.map((session) => {
    const mark = markOf(session, axis);
    return {
      points: session.curve.map(({ ms, tokens }, i) => {
        return { x: Math.max(0, axis === "call" ? i : ms) / width, ms, tokens };
      }),
      mark: mark === undefined ? undefined : mark / width,
      peak: peakOf(session),
    };
  });
}

/** The places at which any of the curves has a point, ascending, each once. */
export function placesOf(curves: readonly DrawnCurve[]): readonly number[] {
  return [...new Set(curves.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
}

/**
 * Returns the point of a curve at a position: a point lasts until the next.
 *
 * @returns its number; -1 before the first point and after the end
 */
export function pointAt({ points }: DrawnCurve, place: number): number {
  if (points.length === 0 || place > points.at(-1)!.x) return -1;
  return points.findLastIndex(({ x }) => x <= place);
}

function lengthOf({ curve }: ComparedSession, axis: CurveAxis): number {
  return axis === "call" ? curve.length - 1 : (curve.at(-1)?.ms ?? 0);
}

function peakOf({ curve }: ComparedSession): number {
  return curve.reduce((peak, { tokens }) => Math.max(peak, tokens), 0);
}

/** Returns the first call at or after the difference. */
function markOf({ ms, curve, fromDifference }: ComparedSession, axis: CurveAxis): number | undefined {
  if (fromDifference === undefined) return undefined;
  const at = ms - fromDifference.ms;
  const call = curve.findIndex((point) => point.ms >= at);
  if (call === -1) return undefined;
  return axis === "call" ? call : curve[call]!.ms;
}
