import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { usePreferences } from "../../app/preferences.js";
import type { Store } from "../../app/store.js";
import type { TraceRow, TraceViewModel } from "../../engine/trace/trace-protocol.js";
import type { Stretch, TimeAxis } from "../../model/charts/time-axis.js";
import { runsFor } from "../../model/live/live-axis.js";
import { partOfAxis, quietStretches, stretchOf } from "../../model/trace/rows-axis.js";

/** While scrolling, between moves of the axis; a move of the bars takes about as long. */
const PERIOD_MS = 100;

interface VisibleTime {
  readonly stretch: Stretch;
  readonly folds: readonly Stretch[];
}

interface RowsOnScreen {
  readonly full: TraceViewModel["axis"];
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly foldGaps: boolean;
  readonly now: number | undefined;
  rowAt(index: number): TraceRow | undefined;
}

/**
 * Of the visible rows, or complete, by choice.
 * @param visible receives the axis' time range; `undefined` for the complete session
 */
export function useVisibleAxis(
  { full, count, first, last, foldGaps, now, rowAt }: RowsOnScreen,
  visible: Store<Stretch | undefined>,
): TimeAxis {
  const follows = usePreferences().axis === "rows";
  const previous = useRef<VisibleTime>(undefined);
  const rows: TraceRow[] = [];
  for (let index = first; follows && index <= Math.min(last, count - 1); index++) {
    const row = rowAt(index);
    if (row !== undefined) rows.push(asOfNow(row, now));
  }
  // While other rows are loading, the axis stays.
  if (!follows) previous.current = undefined;
  else if (rows.length > 0) previous.current = timeOf(rows, foldGaps, now);
  const calm = useThrottled(previous.current, JSON.stringify(previous.current) ?? "", PERIOD_MS);
  const axis = useMemo(
    () => (calm === undefined ? { segments: full } : partOfAxis(full, calm.stretch, calm.folds)),
    [full, calm],
  );
  useEffect(() => visible.set(calm?.stretch), [visible, calm]);
  useEffect(() => () => visible.set(undefined), [visible]);
  return axis;
}

/** Ends an open row now, so that the axis includes it. */
function asOfNow(row: TraceRow, now: number | undefined): TraceRow {
  if (row.state !== "open" || now === undefined) return row;
  return { ...row, durationMs: runsFor(row, now), state: "done" };
}

function timeOf(
  rows: readonly TraceRow[],
  foldGaps: boolean,
  now: number | undefined,
): VisibleTime | undefined {
  const stretch = stretchOf(rows);
  if (stretch === undefined || !foldGaps) return stretch && { stretch, folds: [] };
  // The bar of an open step has to grow visibly.
  const folds = quietStretches(rows, stretch).filter(({ to }) => now === undefined || to < now);
  return { stretch, folds };
}

/** Follows a value at most once a period, without losing the last change. Equal keys are equal values. */
function useThrottled<T>(value: T, key: string, periodMs: number): T {
  const [visible, setVisible] = useState({ value, key });
  const latest = useRef({ value, key });
  latest.current = { value, key };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Before the first paint, to avoid a move.
  useLayoutEffect(() => {
    if (key === visible.key || timer.current !== undefined) return;
    setVisible(latest.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setVisible(latest.current);
    }, periodMs);
  }, [key, visible.key, periodMs]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  return visible.value;
}
