import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { usePreferences } from "../../app/preferences.js";
import type { Store } from "../../app/store.js";
import type { TraceRow, TraceViewModel } from "../../engine/trace-protocol.js";
import { partOfAxis, quietStretches, stretchOf } from "../../model/rows-axis.js";
import type { Stretch, TimeAxis } from "../../model/time-axis.js";

/** How often the axis moves while the rows are scrolled; a move of the bars takes about as long. */
const PERIOD_MS = 100;

interface ShownTime {
  readonly stretch: Stretch;
  readonly folds: readonly Stretch[];
}

/**
 * The axis of the bars: that of the rows on the screen, or the whole, as the reader has chosen.
 *
 * @param last the last row on the screen
 * @param shown is told which time the axis shows; `undefined` where that is the whole
 */
export function useShownAxis(
  view: TraceViewModel,
  foldGaps: boolean,
  first: number,
  last: number,
  rowAt: (index: number) => TraceRow | undefined,
  shown: Store<Stretch | undefined>,
): TimeAxis {
  const follows = usePreferences().axis === "rows";
  const known = useRef<ShownTime>(undefined);
  const rows: TraceRow[] = [];
  for (let index = first; follows && index <= Math.min(last, view.rows - 1); index++) {
    const row = rowAt(index);
    if (row !== undefined) rows.push(row);
  }
  // While the rows of another part are on their way, the axis stays where it is.
  if (!follows) known.current = undefined;
  else if (rows.length > 0) known.current = timeOf(rows, foldGaps);
  const calm = useThrottled(known.current, JSON.stringify(known.current) ?? "", PERIOD_MS);
  const axis = useMemo(
    () => (calm === undefined ? { segments: view.axis } : partOfAxis(view.axis, calm.stretch, calm.folds)),
    [view.axis, calm],
  );
  useEffect(() => shown.set(calm?.stretch), [shown, calm]);
  useEffect(() => () => shown.set(undefined), [shown]);
  return axis;
}

function timeOf(rows: readonly TraceRow[], foldGaps: boolean): ShownTime | undefined {
  const stretch = stretchOf(rows);
  return stretch && { stretch, folds: foldGaps ? quietStretches(rows, stretch) : [] };
}

/** A value that follows another, at most once a period; its last change is never lost. Equal keys are equal values. */
function useThrottled<T>(value: T, key: string, periodMs: number): T {
  const [shown, setShown] = useState({ value, key });
  const latest = useRef({ value, key });
  latest.current = { value, key };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Before the first paint, so that what is drawn first does not move.
  useLayoutEffect(() => {
    if (key === shown.key || timer.current !== undefined) return;
    setShown(latest.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setShown(latest.current);
    }, periodMs);
  }, [key, shown.key, periodMs]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  return shown.value;
}
