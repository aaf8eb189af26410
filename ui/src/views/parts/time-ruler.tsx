import { type RefObject, useEffect, useRef, useState } from "react";
import { usePreferences } from "../../app/preferences.js";
import type { TraceViewModel } from "../../engine/trace-protocol.js";
import { formatClock, formatDuration } from "../../model/formats.js";
import { axisTicks } from "../../model/time-axis.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./time-ruler.module.css";

/** How wide an element is, also after the window has changed. */
function useWidth(): [RefObject<HTMLSpanElement | null>, number] {
  const element = useRef<HTMLSpanElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return [element, width];
}

/** The clock above the bars; a folded gap is a mark whose title is its duration. */
export function TimeRuler({ axis }: { readonly axis: TraceViewModel["axis"] }) {
  const { zone } = usePreferences();
  const [ruler, width] = useWidth();
  const gaps = axis.filter(({ folded }) => folded);
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
      {axisTicks({ segments: axis }, Math.max(1, Math.floor(width / 72))).map(({ at, x }) => (
        <span key={at} className={styles.tick} style={{ left: `${x * 100}%` }}>
          {(1 - x) * width > 56 ? formatClock(at, zone) : ""}
        </span>
      ))}
    </span>
  );
}
