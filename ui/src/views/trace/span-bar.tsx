import { createContext, useContext } from "react";
import type { TraceRow } from "../../engine/trace-protocol.js";
import { barBounds } from "../../model/rows-axis.js";
import type { TimeAxis } from "../../model/time-axis.js";
import styles from "./waterfall.module.css";

/** The axis of the bars. Through a context, so that while one scrolls the bars alone are drawn anew, and not their rows. */
export const BarAxis = createContext<TimeAxis>({ segments: [] });

/** When a step ran, as a bar; nothing where the axis shows another time. */
export function SpanBar({ at, durationMs, state }: Pick<TraceRow, "at" | "durationMs" | "state">) {
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
