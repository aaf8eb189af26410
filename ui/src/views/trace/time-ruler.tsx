import { usePreferences } from "../../app/preferences.js";
import type { TraceView } from "../../engine/trace-protocol.js";
import { formatClock, formatDuration } from "../../model/formats.js";
import { axisTicks } from "../../model/time-axis.js";
import { TEXTS } from "../../texts.js";
import styles from "./waterfall.module.css";

/** The clock above the bars; a folded gap is a mark that says how long it was. */
export function TimeRuler({ axis }: { readonly axis: TraceView["axis"] }) {
  const { zone } = usePreferences();
  const gaps = axis.filter(({ folded }) => folded);
  return (
    <>
      {axisTicks({ segments: axis }, 5).map(({ at, x }) => (
        <span key={at} className={styles.tick} style={{ left: `${x * 100}%` }}>
          {x < 0.88 ? formatClock(at, zone) : ""}
        </span>
      ))}
      {gaps.map(({ from, to, x0, x1 }) => (
        <span
          key={from}
          className={styles.gap}
          style={{ left: `${x0 * 100}%`, width: `${Math.max(0.5, (x1 - x0) * 100)}%` }}
          title={TEXTS.trace.idle(formatDuration(to - from))}
        />
      ))}
    </>
  );
}
