import { sumSizes } from "../../../../src/domain/conversation/context-calls.js";
import type { MessageOrigin } from "../../../../src/domain/conversation/conversation.js";
import type { CallRow } from "../../engine/message-protocol.js";
import { formatTokens } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./growth-bars.module.css";

interface GrowthBarsProps {
  readonly calls: readonly CallRow[];
  readonly call: number;
  readonly base: number;
  onChoose(call: number): void;
}

/** The height of the drawing's own units; a bar is one unit wide. */
const HEIGHT = 60;
const ORIGINS: readonly MessageOrigin[] = ["system", "summary", "user", "assistant", "tool"];
const MAX_BARS = 400;

/** The context at each call, stacked by where it comes from. One path for each origin, however many calls there are. */
export function GrowthBars({ calls, call, base, onChoose }: GrowthBarsProps) {
  const step = Math.max(1, Math.ceil(calls.length / MAX_BARS));
  const bars = calls.filter((_, index) => index % step === 0 || index === calls.length - 1);
  const peak = Math.max(1, ...bars.map(({ sizes }) => sumSizes(sizes)));
  const place = (index: number) => Math.min(bars.length - 1, Math.floor(index / step));
  return (
    <figure className={styles.figure}>
      <figcaption>
        {STRINGS.context.growth} · ≈{formatTokens(peak)}
        {ORIGINS.filter((origin) => bars.some(({ sizes }) => sizes[origin] > 0)).map((origin) => (
          <span key={origin} data-origin={origin}>
            <i aria-hidden="true" />
            {STRINGS.messages.origins[origin]}
          </span>
        ))}
      </figcaption>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the stepper below does the same by keyboard */}
      <svg
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={STRINGS.context.growth}
        onClick={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          const bar = bars[Math.floor(((event.clientX - left) / width) * bars.length)];
          if (bar !== undefined) onChoose(bar.index);
        }}
      >
        {ORIGINS.map((origin, nth) => (
          <path key={origin} data-origin={origin} d={stackPath(bars, ORIGINS.slice(0, nth), origin, peak)} />
        ))}
        {base >= 0 && <rect className={styles.base} x={place(base)} width={1} height={HEIGHT} />}
        <rect className={styles.call} x={place(call)} width={1} height={HEIGHT} />
      </svg>
    </figure>
  );
}

function stackPath(
  bars: readonly CallRow[],
  below: readonly MessageOrigin[],
  origin: MessageOrigin,
  peak: number,
): string {
  const height = (tokens: number) => (tokens / peak) * (HEIGHT - 2);
  return bars
    .map(({ sizes }, x) => {
      if (sizes[origin] === 0) return "";
      const floor = HEIGHT - height(below.reduce((sum, name) => sum + sizes[name], 0));
      return `M${x + 0.08} ${floor.toFixed(2)}h0.84v${(-height(sizes[origin])).toFixed(2)}h-0.84Z`;
    })
    .join("");
}
