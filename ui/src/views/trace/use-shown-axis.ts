import { useEffect, useMemo, useRef } from "react";
import { usePreferences } from "../../app/preferences.js";
import { useThrottled } from "../../app/use-throttled.js";
import type { Watched } from "../../app/watched.js";
import type { TraceRow, TraceViewModel } from "../../engine/trace-protocol.js";
import { partOfAxis, stretchOf } from "../../model/rows-axis.js";
import type { Stretch, TimeAxis } from "../../model/time-axis.js";

/** How often the axis moves while the rows are scrolled; a move of the bars takes about as long. */
const PERIOD_MS = 100;

/**
 * The axis of the bars: that of the rows on the screen, or the whole, as the reader has chosen.
 *
 * @param shown is told which time the axis shows; `undefined` where that is the whole
 */
export function useShownAxis(
  view: TraceViewModel,
  first: number,
  last: number,
  rowAt: (index: number) => TraceRow | undefined,
  shown: Watched<Stretch | undefined>,
): TimeAxis {
  const follows = usePreferences().axis === "rows";
  const known = useRef<Stretch>(undefined);
  const rows: TraceRow[] = [];
  for (let index = first; follows && index < Math.min(last, view.rows); index++) {
    const row = rowAt(index);
    if (row !== undefined) rows.push(row);
  }
  // While the rows of another part are on their way, the axis stays where it is.
  known.current = follows ? (stretchOf(rows) ?? known.current) : undefined;
  const stretch = known.current;
  const key = stretch === undefined ? "" : `${stretch.from} ${stretch.to}`;
  const calm = useThrottled(stretch, key, PERIOD_MS);
  const axis = useMemo(
    () => (calm === undefined ? { segments: view.axis } : partOfAxis(view.axis, calm)),
    [view.axis, calm],
  );
  useEffect(() => shown.set(calm), [shown, calm]);
  useEffect(() => () => shown.set(undefined), [shown]);
  return axis;
}
