import type { ComparedSession } from "../../../src/domain/analysis/session-comparison.js";

/** Where two curves share an axis: how many calls came before, or how much time. */
export type CurveAxis = "call" | "time";

/** A curve in units of a drawing, 0 at its left and its bottom, 1 at its right and its top. */
export interface DrawnCurve {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Where the sessions part; `undefined` where that is not known. */
  readonly mark: number | undefined;
  readonly peak: number;
}

/** The contexts of two sessions at each of their model calls, on the same axes. */
export function drawnCurves(
  sessions: readonly [ComparedSession, ComparedSession],
  axis: CurveAxis,
): readonly [DrawnCurve, DrawnCurve] {
  const [a, b] = sessions;
  const width = Math.max(1, lengthOf(a, axis), lengthOf(b, axis));
  const height = Math.max(1, peakOf(a), peakOf(b));
  const drawn = (session: ComparedSession): DrawnCurve => {
    const mark = markOf(session, axis);
    return {
      points: session.curve.map(({ ms, tokens }, i) => [
        Math.max(0, axis === "call" ? i : ms) / width,
        tokens / height,
      ]),
      mark: mark === undefined ? undefined : mark / width,
      peak: peakOf(session),
    };
  };
  return [drawn(a), drawn(b)];
}

function lengthOf({ curve }: ComparedSession, axis: CurveAxis): number {
  return axis === "call" ? curve.length - 1 : (curve.at(-1)?.ms ?? 0);
}

function peakOf({ curve }: ComparedSession): number {
  return curve.reduce((peak, { tokens }) => Math.max(peak, tokens), 0);
}

/** The first call at or behind the difference. */
function markOf({ ms, curve, fromDifference }: ComparedSession, axis: CurveAxis): number | undefined {
  if (fromDifference === undefined) return undefined;
  const at = ms - fromDifference.ms;
  const call = curve.findIndex((point) => point.ms >= at);
  if (call === -1) return undefined;
  return axis === "call" ? call : curve[call]!.ms;
}
