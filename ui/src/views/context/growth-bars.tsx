import { memo, useMemo } from "react";
import type { MessageOrigin } from "../../../../src/domain/conversation/conversation.js";
import type { CallRow } from "../../engine/messages/message-protocol.js";
import { type CallRange, rangeOf } from "../../model/charts/chart-point.js";
import { type ChartScale, chartScale, heightOf } from "../../model/charts/chart-scale.js";
import { type ContextBar, contextBars } from "../../model/context/context-bars.js";
import { CHART_STRINGS } from "../../strings/chart-strings.js";
import { CONTEXT_STRINGS } from "../../strings/context-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { type ReadCall, ReadoutLines, readoutText, useCallReadout } from "../parts/call-readout.js";
import { ChartBrush, ChartReadout, useChartHover } from "../parts/chart-hover.js";
import { TokenAxis } from "../parts/token-axis.js";
import styles from "./growth-bars.module.css";

interface GrowthBarsProps {
  readonly calls: readonly CallRow[];
  readonly call: number;
  /** Compared calls, unless these are the call and the previous one. */
  readonly range: CallRange | undefined;
  readonly base: number;
  readonly version: unknown;
  /** `undefined` if it is not available. */
  readonly window: number | undefined;
  onChoose(call: number): void;
  /** @param withShift selects the passed calls */
  onStep(by: number, withShift: boolean): void;
  onCompare(range: CallRange): void;
}

/** In the drawing's units; a bar is one unit wide. */
const HEIGHT = 100;
type Part = MessageOrigin | "prompt" | "unaccounted";
const PARTS: readonly Part[] = ["prompt", "system", "summary", "user", "assistant", "tool", "unaccounted"];
const MOST_BARS = 400;
const MOST_TICKS = 4;

/** Stacked by origin, with one path per origin for any number of calls. Dragging compares the last call with the first. */
export function GrowthBars(props: GrowthBarsProps) {
  const { calls, call, base, range, version, window, onChoose, onStep, onCompare } = props;
  const bars = useMemo(() => contextBars(calls, sizeOfAll, MOST_BARS), [calls]);
  const scale = useMemo(
    () => chartScale(Math.max(0, ...bars.map(({ row }) => sizeOfAll(row))), window, MOST_TICKS),
    [bars, window],
  );
  const barOf = (index: number) => bars.findIndex(({ to }) => index <= to);
  const columns = columnsOf(bars);
  const barAt = (place: number) => Math.min(bars.length - 1, Math.floor(place * columns));
  const [at, drag, elementOf] = useChartHover({
    label: STRINGS.context.growth,
    count: calls.length,
    resting: call,
    indexAt: (place) => bars[barAt(place)]?.row.index ?? -1,
    onChoose: (index, withShift) => {
      const selected = withShift ? rangeOf(call, index) : undefined;
      if (selected === undefined) onChoose(index);
      else onCompare(selected);
    },
    onMove: onStep,
    onBrush: (from, to) => {
      const [first, last] = [bars[barAt(from)]!, bars[barAt(to)]!];
      if (first === last) onChoose(first.row.index);
      else onCompare({ from: first.from, to: last.to });
    },
  });
  const row = at === undefined ? undefined : calls[at];
  const lines = useCallReadout(readCall(calls, row ?? calls[call]), version);
  const middleOf = (index: number) => (barOf(index) + 0.5) / columns;
  return (
    <figure className={styles.figure}>
      <figcaption>
        {STRINGS.context.growth}
        {PARTS.filter((part) => bars.some((bar) => sizeOf(bar.row, part) > 0)).map((part) => (
          <span key={part} data-origin={part}>
            <i aria-hidden="true" />
            {NAMES[part]}
          </span>
        ))}
        <small>{CONTEXT_STRINGS.brushHint}</small>
      </figcaption>
      <div {...elementOf(readoutText(lines))} className={styles.chart}>
        <Drawing bars={bars} scale={scale} />
        <svg viewBox={`0 0 ${columnsOf(bars)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {base >= 0 && <rect className={styles.base} x={barOf(base)} width={1} height={HEIGHT} />}
          <rect className={styles.call} x={barOf(call)} width={1} height={HEIGHT} />
        </svg>
        <TokenAxis scale={scale} />
        {drag !== undefined ? (
          <ChartBrush between={drag} />
        ) : (
          range !== undefined && (
            <ChartBrush between={[barOf(range.from) / columns, (barOf(range.to) + 1) / columns]} />
          )
        )}
        {row !== undefined && (
          <ChartReadout place={middleOf(row.index)}>
            <ReadoutLines lines={lines} />
          </ChartReadout>
        )}
      </div>
    </figure>
  );
}

const NAMES: { readonly [part in Part]: string } = { ...STRINGS.messages.origins, ...STRINGS.context.parts };

function readCall(calls: readonly CallRow[], row: CallRow | undefined): ReadCall | undefined {
  if (row === undefined) return undefined;
  const { index, spanId, at, countedTokens } = row;
  const before = calls[index - 1];
  const tokens = countedTokens ?? sizeOfAll(row);
  return {
    name: CHART_STRINGS.call(index + 1),
    spanId,
    at,
    tokens,
    isEstimated: countedTokens === undefined,
    change: before === undefined ? undefined : tokens - (before.countedTokens ?? sizeOfAll(before)),
  };
}

interface DrawingProps {
  readonly bars: readonly ContextBar<CallRow>[];
  readonly scale: ChartScale;
}

/** Redrawn only when calls change. */
const Drawing = memo(function Drawing({ bars, scale }: DrawingProps) {
  return (
    <svg viewBox={`0 0 ${columnsOf(bars)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {PARTS.map((part, nth) => (
        <path key={part} data-origin={part} d={stackPath(bars, PARTS.slice(0, nth), part, scale)} />
      ))}
      {bars.map(
        (bar, x) =>
          bar.isCompacted && <path key={bar.from} className={styles.compaction} d={`M${x} 0v${HEIGHT}`} />,
      )}
    </svg>
  );
});

const LEAST_COLUMNS = 12;

function columnsOf({ length }: readonly unknown[]): number {
  return Math.max(length, LEAST_COLUMNS);
}

function sizeOf({ sizes, prompt, unaccounted }: CallRow, part: Part): number {
  if (part === "prompt") return prompt;
  return part === "unaccounted" ? unaccounted : sizes[part];
}

function sizeBelow(row: CallRow, parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + sizeOf(row, part), 0);
}

function sizeOfAll(row: CallRow): number {
  return sizeBelow(row, PARTS);
}

function stackPath(
  bars: readonly ContextBar<CallRow>[],
  below: readonly Part[],
  part: Part,
  scale: ChartScale,
): string {
  const height = (tokens: number) => heightOf(scale, tokens) * HEIGHT;
  return bars
    .map(({ row }, x) => {
      const size = sizeOf(row, part);
      if (size === 0) return "";
      const floor = HEIGHT - height(sizeBelow(row, below));
      return `M${x + 0.08} ${floor.toFixed(2)}h0.84v${(-height(size)).toFixed(2)}h-0.84Z`;
    })
    .join("");
}
