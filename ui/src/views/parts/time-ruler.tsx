import { formatDuration } from "../../../../src/domain/text/figures.js";
import { usePreferences } from "../../app/preferences.js";
import { useWidth } from "../../app/use-width.js";
import type { TraceViewModel } from "../../engine/trace/trace-protocol.js";
import { axisTicks } from "../../model/charts/time-axis.js";
import { formatClock } from "../../model/text/formats.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./time-ruler.module.css";

/** Estimated width of a label. */
const TICK = 76;

function milliseconds(instant: number): string {
  return `.${String(instant % 1000).padStart(3, "0")}`;
}

/** A folded gap is a mark with its duration as title. */
export function TimeRuler({ axis }: { readonly axis: TraceViewModel["axis"] }) {
  const { zone } = usePreferences();
  const [ruler, width] = useWidth<HTMLSpanElement>();
  const gaps = axis.filter(({ folded }) => folded);
  const ticks = axisTicks({ segments: axis }, Math.max(1, Math.floor(width / TICK)));
  const isFine = ticks.some(({ at }) => at % 1000 !== 0);
  return (
    <span ref={ruler} className={styles.ticks} aria-hidden="true">
      {gaps.map(({ from, to, x0, x1 }) => (
        <span
          key={from}
          className={styles.gap}
          style={{ left: `${x0 * 100}%`, width: `${Math.max(0.5, (x1 - x0) * 100)}%` }}
          title={STRINGS.trace.idle(formatDuration(to - from))}
        />
      ))}
      {ticks.map(({ at, x }) => (
        <span key={at} className={styles.tick} style={{ left: `${x * 100}%` }}>
          {(1 - x) * width > (isFine ? TICK : 56)
            ? formatClock(at, zone) + (isFine ? milliseconds(at) : "")
            : ""}
        </span>
      ))}
    </span>
  );
}
