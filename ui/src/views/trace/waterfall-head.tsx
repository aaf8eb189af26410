import type { RefObject } from "react";
import type { Store } from "../../app/store.js";
import type { TimeAxis } from "../../model/charts/time-axis.js";
import type { TraceLayout } from "../../model/trace/trace-order.js";
import { STRINGS } from "../../strings/strings.js";
import { Divider, type Split } from "../parts/divider.js";
import { TimeRuler } from "../parts/time-ruler.js";
import { SortHeader } from "./sort-header.js";
import { LiveClock, NowLine } from "./span-bar.js";
import styles from "./waterfall.module.css";

export const COLUMNS: Split = {
  name: "columns",
  property: "--columns",
  sets: "left",
  byDefault: 0.58,
  least: 0.3,
  most: 0.85,
};

interface WaterfallHeadProps {
  readonly axis: TimeAxis;
  readonly order: TraceLayout;
  readonly clock: Store<number | undefined>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  onSort(order: string): void;
}

const { trace } = STRINGS;

export function WaterfallHead({ axis, order, clock, scroller, onSort }: WaterfallHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <span role="columnheader">{trace.name}</span>
      <SortHeader column="duration" order={order} onSort={onSort} />
      <SortHeader column="added" order={order} onSort={onSort} />
      <span role="columnheader" title={trace.contextHint}>
        {trace.context}
      </span>
      <SortHeader column="cost" order={order} onSort={onSort} />
      <span role="columnheader" className={styles.timeline}>
        <span className="visually-hidden">{trace.timeline}</span>
        <span className={styles.ruler}>
          <TimeRuler axis={axis.segments} />
        </span>
        <span className={styles.folds} aria-hidden="true">
          {axis.segments
            .filter(({ folded }) => folded)
            .map(({ from, x0, x1 }) => (
              <i key={from} style={{ left: `${x0 * 100}%`, width: `${(x1 - x0) * 100}%` }} />
            ))}
        </span>
        <span className={styles.present} aria-hidden="true">
          <LiveClock.Provider value={clock}>
            <NowLine axis={axis} />
          </LiveClock.Provider>
        </span>
        <Divider label={trace.columns} split={COLUMNS} container={scroller} className={styles.divider} />
      </span>
    </div>
  );
}
