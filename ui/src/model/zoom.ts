import { instantAt, placeOf, type TimeAxis } from "./time-axis.js";

/** A stretch of a session, in epoch milliseconds. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Closer than this there is nothing more to see. */
const MIN_MS = 10;

/**
 * The stretch that shows the session `factor` times as large as it is shown now, around an instant where that is in sight.
 *
 * @param shown what is shown now; `undefined` is the whole session
 * @returns `undefined` for the whole session
 */
export function zoomed(
  axis: TimeAxis,
  shown: Stretch | undefined,
  around: number | undefined,
  factor: number,
): Stretch | undefined {
  const left = shown === undefined ? 0 : placeOf(axis, shown.from);
  const right = shown === undefined ? 1 : placeOf(axis, shown.to);
  const width = (right - left) / factor;
  if (width >= 1) return undefined;
  const place = around === undefined ? -1 : placeOf(axis, around);
  const middle = place >= left && place <= right ? place : (left + right) / 2;
  const start = Math.min(1 - width, Math.max(0, middle - width / 2));
  const from = Math.round(instantAt(axis, start));
  const to = Math.round(instantAt(axis, start + width));
  return to - from < MIN_MS ? shown : { from, to };
}
