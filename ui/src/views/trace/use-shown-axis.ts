import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { usePreferences } from "../../app/preferences.js";
import type { Store } from "../../app/store.js";
import type { TraceRow, TraceViewModel } from "../../engine/trace-protocol.js";
import { runsFor } from "../../model/live-axis.js";
import { partOfAxis, quietStretches, stretchOf } from "../../model/rows-axis.js";
import type { Stretch, TimeAxis } from "../../model/time-axis.js";

/** Minimum time between moves of the axis during scrolling; a move of the bars takes about as long. */
const PERIOD_MS = 100;

interface ShownTime {
  readonly stretch: Stretch;
  readonly folds: readonly Stretch[];
}

interface RowsOnScreen {
  /** The axis of the complete session. */
  readonly whole: TraceViewModel["axis"];
  /** Number of rows, and the range of visible rows. */
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** True if idle times are folded. */
  readonly foldGaps: boolean;
  /** Current time of a running session: open steps and the axis end there. */
  readonly now: number | undefined;
  rowAt(index: number): TraceRow | undefined;
}

/**
 * Returns the axis of the bars: that of the visible rows, or the complete axis, as the reader has chosen.
 *
 * @param shown receives the time range of the axis; `undefined` for the complete session
 */
export function useShownAxis(
  { whole, count, first, last, foldGaps, now, rowAt }: RowsOnScreen,
  shown: Store<Stretch | undefined>,
): TimeAxis {
  const follows = usePreferences().axis === "rows";
  const known = useRef<ShownTime>(undefined);
  const rows: TraceRow[] = [];
  for (let index = first; follows && index <= Math.min(last, count - 1); index++) {
    const row = rowAt(index);
    if (row !== undefined) rows.push(asOfNow(row, now));
  }
  // While the rows of another part are on their way, the axis stays where it is.
  if (!follows) known.current = undefined;
  else if (rows.length > 0) known.current = timeOf(rows, foldGaps, now);
  const calm = useThrottled(known.current, JSON.stringify(known.current) ?? "", PERIOD_MS);
  const axis = useMemo(
    () => (calm === undefined ? { segments: whole } : partOfAxis(whole, calm.stretch, calm.folds)),
    [whole, calm],
  );
  useEffect(() => shown.set(calm?.stretch), [shown, calm]);
  useEffect(() => () => shown.set(undefined), [shown]);
  return axis;
}

/** Returns an open row as if it ended now: the axis includes its complete duration. */
function asOfNow(row: TraceRow, now: number | undefined): TraceRow {
  if (row.state !== "open" || now === undefined) return row;
  return { ...row, durationMs: runsFor(row, now), state: "done" };
}

function timeOf(
  rows: readonly TraceRow[],
  foldGaps: boolean,
  now: number | undefined,
): ShownTime | undefined {
  const stretch = stretchOf(rows);
  if (stretch === undefined || !foldGaps) return stretch && { stretch, folds: [] };
  // The bar of an open step has to grow visibly.
  const folds = quietStretches(rows, stretch).filter(({ to }) => now === undefined || to < now);
  return { stretch, folds };
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
