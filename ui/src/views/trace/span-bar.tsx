import { createContext, useContext } from "react";
import { Store, useStore } from "../../app/store.js";
import type { TraceRow } from "../../engine/trace/trace-protocol.js";
import { positionOf, type TimeAxis } from "../../model/charts/time-axis.js";
import { isOnAxis, runsFor } from "../../model/live/live-axis.js";
import { barBounds } from "../../model/trace/rows-axis.js";
import styles from "./waterfall.module.css";

/** A context, so that scrolling redraws bars without their rows. */
export const BarAxis = createContext<TimeAxis>({ segments: [] });

/** Every second; `undefined` if the session does not run. Redraws only open steps. */
export const LiveClock = createContext<Store<number | undefined>>(new Store<number | undefined>(undefined));

export function NowLine({ axis }: { readonly axis: TimeAxis }) {
  const now = useStore(useContext(LiveClock));
  if (now === undefined || !isOnAxis(axis, now)) return null;
  return <i className={styles.now} style={{ left: `${positionOf(axis, now) * 100}%` }} />;
}

type BarProps = Pick<TraceRow, "at" | "durationMs" | "state">;

export function OpenBar(row: BarProps) {
  return <SpanBar {...row} durationMs={runsFor(row, useStore(useContext(LiveClock)))} />;
}

export function SpanBar({ at, durationMs, state }: BarProps) {
  const bar = barBounds(useContext(BarAxis), at, durationMs);
  if (bar === undefined) return null;
  const { x0, x1, cut } = bar;
  return (
    <i
      className={styles.bar}
      data-state={state}
      data-cut={cut}
      style={{ left: `${x0 * 100}%`, width: `${Math.max(0, x1 - x0) * 100}%` }}
    />
  );
}
