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
/** What a context consists of, from its beginning on. */
type Part = MessageOrigin | "prompt" | "unaccounted";
const PARTS: readonly Part[] = ["prompt", "system", "summary", "user", "assistant", "tool", "unaccounted"];
const MAX_BARS = 400;

/** The context at each call, stacked by where it comes from. One path for each origin, however many calls there are. */
export function GrowthBars({ calls, call, base, onChoose }: GrowthBarsProps) {
  const step = Math.max(1, Math.ceil(calls.length / MAX_BARS));
  const bars = calls.filter((_, index) => index % step === 0 || index === calls.length - 1);
  const peak = Math.max(1, ...bars.map((row) => sizeBelow(row, PARTS)));
  const barAt = (index: number) => Math.min(bars.length - 1, Math.floor(index / step));
  return (
    <figure className={styles.figure}>
      <figcaption>
        {STRINGS.context.growth} · ≈{formatTokens(peak)}
        {PARTS.filter((part) => bars.some((row) => sizeOf(row, part) > 0)).map((part) => (
          <span key={part} data-origin={part}>
            <i aria-hidden="true" />
            {NAMES[part]}
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
        {PARTS.map((part, nth) => (
          <path key={part} data-origin={part} d={stackPath(bars, PARTS.slice(0, nth), part, peak)} />
        ))}
        {base >= 0 && <rect className={styles.base} x={barAt(base)} width={1} height={HEIGHT} />}
        <rect className={styles.call} x={barAt(call)} width={1} height={HEIGHT} />
      </svg>
    </figure>
  );
}

const NAMES: { readonly [part in Part]: string } = { ...STRINGS.messages.origins, ...STRINGS.context.parts };

function sizeOf({ sizes, prompt, unaccounted }: CallRow, part: Part): number {
  if (part === "prompt") return prompt;
  return part === "unaccounted" ? unaccounted : sizes[part];
}

function sizeBelow(row: CallRow, parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + sizeOf(row, part), 0);
}

function stackPath(bars: readonly CallRow[], below: readonly Part[], part: Part, peak: number): string {
  const height = (tokens: number) => (tokens / peak) * (HEIGHT - 2);
  return bars
    .map((row, x) => {
      const size = sizeOf(row, part);
      if (size === 0) return "";
      const floor = HEIGHT - height(sizeBelow(row, below));
      return `M${x + 0.08} ${floor.toFixed(2)}h0.84v${(-height(size)).toFixed(2)}h-0.84Z`;
    })
    .join("");
}
