import type { ComparedSession } from "../../../../src/domain/compare/session-comparison.js";

export type CurveAxis = "call" | "time";

/** From 0 at the left of the chart to 1 at the right. */
export interface DrawnCurve {
  readonly points: readonly CurvePoint[];
  /** Position of the divergence; `undefined` if unavailable. */
  readonly mark: number | undefined;
  readonly peak: number;
}

interface CurvePoint {
  readonly x: number;
  readonly ms: number;
  readonly tokens: number;
}

const MOST_POINTS = 500;

/** Counted from 1; `undefined` for a thinned curve. */
export function callNumber({ points }: DrawnCurve, index: number): number | undefined {
  return points.length < MOST_POINTS ? index + 1 : undefined;
}

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

export function placesOf(curves: readonly DrawnCurve[]): readonly number[] {
  return [...new Set(curves.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
}

/**
 * A point lasts until the next.
 * @returns its index; -1 before the first point and after the end
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

function markOf({ ms, curve, fromDifference }: ComparedSession, axis: CurveAxis): number | undefined {
  if (fromDifference === undefined) return undefined;
  const at = ms - fromDifference.ms;
  const call = curve.findIndex((point) => point.ms >= at);
  if (call === -1) return undefined;
  return axis === "call" ? call : curve[call]!.ms;
}
