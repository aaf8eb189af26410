import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from "react";
import type { Pace } from "../../../../src/domain/overview/overview.js";
import type { TimeGrouping } from "../../../../src/domain/overview/time-buckets.js";
import { useWidth } from "../../app/use-width.js";
import { axisValues } from "../../model/charts/axis-values.js";
import { axisText, type Bar, daysAhead } from "../../model/overview/bar-chart.js";
import type { Measure } from "../../model/overview/overview-choice.js";
import { dayOf } from "../../model/text/days.js";
import type { ClockZone } from "../../model/text/formats.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { BarValues } from "./bar-values.js";
import { barText, shortTime } from "./overview-texts.js";
import { colourOf } from "./series-colour.js";
import styles from "./usage-chart.module.css";
import type { VisibleBars } from "./visible-bars.js";

interface UsageChartProps extends VisibleBars {
  readonly pace: Pace | undefined;
  onNarrow(bar: Bar): void;
}

/** In pixels. */
const HEIGHT = 200;
const ABOVE = 8;
const LEFT = 54;
const WIDEST_BAR = 48;
const LABEL = 58;

/** Visual only: the keyboard moves through bars like the values of a slider, and the table lists them. */
export function UsageChart(props: UsageChartProps) {
  const { bars, series, by, stack, measure, zone, pace, onNarrow } = props;
  const [frame, width] = useWidth<HTMLDivElement>();
  const [active, setActive] = useState<number>();
  const isFirstTouch = useRef(false);
  const ahead = pace === undefined ? [] : daysAhead(pace, lastDay(bars, zone));
  const count = bars.length + ahead.length;
  const ticks = axisValues(
    Math.max(
      ...bars.map(({ height, total }) => Math.max(height, total)),
      ahead.length === 0 ? 0 : pace!.usdPerDay,
    ),
    measure === "cost" ? 0 : 1,
  );
  const band = Math.max(0, width - LEFT) / Math.max(1, count);
  const at = active === undefined || bars[active] === undefined ? undefined : active;
  const barAt = ({ clientX, currentTarget }: MouseEvent<HTMLDivElement>) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - LEFT;
    return x < 0 ? undefined : Math.min(bars.length - 1, Math.floor(x / band));
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = nextBar(event.key, at, bars.length);
    if (event.key === "Enter" && at !== undefined) onNarrow(bars[at]!);
    else if (event.key === "Escape" && at !== undefined) setActive(undefined);
    else if (next !== undefined) setActive(next);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={frame}
      className={styles.chart}
      role="slider"
      tabIndex={0}
      aria-label={strings.bars}
      aria-valuemin={1}
      aria-valuemax={bars.length}
      aria-valuenow={(at ?? bars.length - 1) + 1}
      aria-valuetext={barText(bars[at ?? bars.length - 1]!, props)}
      onKeyDown={press}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && setActive(at ?? bars.length - 1)}
      onBlur={() => setActive(undefined)}
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        isFirstTouch.current = event.pointerType === "touch" && barAt(event) !== at;
      }}
      onPointerMove={(event: PointerEvent<HTMLDivElement>) => setActive(barAt(event))}
      onPointerLeave={(event: PointerEvent<HTMLDivElement>) =>
        event.pointerType !== "touch" && setActive(undefined)
      }
      onClick={(event) => {
        const index = barAt(event);
        setActive(index);
        // Touch cannot hover: the first touch displays the values.
        if (index !== undefined && !isFirstTouch.current) onNarrow(bars[index]!);
      }}
    >
      <svg width={width} height={HEIGHT + ABOVE + 22} aria-hidden="true">
        <Axis ticks={ticks} measure={measure} width={width} />
        {width > 0 &&
          bars.map((bar, i) => (
            <StackedBar
              key={bar.row.from ?? bar.row.name}
              bar={bar}
              series={series}
              x={LEFT + i * band}
              band={band}
              top={ticks.at(-1)!}
              isActive={i === at}
            />
          ))}
        {width > 0 && pace !== undefined && ahead.length > 0 && (
          <DaysAhead
            x={LEFT + bars.length * band}
            width={ahead.length * band}
            share={pace.usdPerDay / ticks.at(-1)!}
          />
        )}
        {timesBelow(bars, by, zone, Math.floor((width - LEFT) / LABEL)).map(({ index, text }) => (
          <text
            key={index}
            className={styles.time}
            x={Math.min(LEFT + (index + 0.5) * band, width - LABEL / 2 + 8)}
            y={HEIGHT + ABOVE + 16}
          >
            {text}
          </text>
        ))}
      </svg>
      {at !== undefined && (
        <BarValues
          bar={bars[at]!}
          series={series}
          by={by}
          stack={stack}
          measure={measure}
          zone={zone}
          x={LEFT + (at + 0.5) * band}
          width={width}
        />
      )}
    </div>
  );
}

function lastDay(bars: readonly Bar[], zone: ClockZone): string {
  return dayOf(bars.at(-1)?.row.from ?? "", zone);
}

function nextBar(key: string, at: number | undefined, count: number): number | undefined {
  const last = count - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, (at ?? count) - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(last, (at ?? last) + 1);
  return undefined;
}

function timesBelow(bars: readonly Bar[], by: TimeGrouping, zone: ClockZone, most: number) {
  if (most < 1) return [];
  const step = Math.max(1, Math.ceil(bars.length / most));
  return bars.flatMap(({ row: { from } }, index) =>
    index % step === 0 && from !== undefined ? [{ index, text: shortTime(from, by, zone) }] : [],
  );
}

interface AxisProps {
  readonly ticks: readonly number[];
  readonly measure: Measure;
  readonly width: number;
}

function Axis({ ticks, measure, width }: AxisProps) {
  const top = ticks.at(-1)! || 1;
  const step = ticks[1] ?? 0;
  return (
    <>
      {ticks.map((value) => {
        const y = Math.round(ABOVE + HEIGHT * (1 - value / top)) + 0.5;
        return (
          <g key={value}>
            <line className={value === 0 ? styles.base : styles.guide} x1={LEFT} x2={width} y1={y} y2={y} />
            <text className={styles.value} x={LEFT - 6} y={y + 4}>
              {axisText(value, measure, step)}
            </text>
          </g>
        );
      })}
    </>
  );
}

interface StackedBarProps {
  readonly bar: Bar;
  readonly series: readonly string[];
  readonly x: number;
  readonly band: number;
  readonly top: number;
  readonly isActive: boolean;
}

function barWidth(band: number): number {
  return Math.min(WIDEST_BAR, Math.max(1, band - (band > 8 ? 2 : band > 3 ? 1 : 0)));
}

function StackedBar({ bar, series, x, band, top, isActive }: StackedBarProps) {
  const width = barWidth(band);
  const left = x + (band - width) / 2;
  let y = ABOVE + HEIGHT;
  return (
    <>
      {isActive && <rect className={styles.active} x={x} y={ABOVE} width={band} height={HEIGHT} />}
      {bar.values.map((value, i) => {
        if (value <= 0) return null;
        const height = (value / top) * HEIGHT;
        y -= height;
        // A line in the background colour separates two parts without relying on their colours.
        const gap = height > 3 && i > 0 ? 1 : 0;
        return (
          <rect
            key={series[i]}
            data-series={colourOf(series, i)}
            x={left}
            y={y}
            width={width}
            height={Math.max(0.5, height - gap)}
          />
        );
      })}
    </>
  );
}

interface DaysAheadProps {
  readonly x: number;
  readonly width: number;
  readonly share: number;
}

function DaysAhead({ x, width, share }: DaysAheadProps) {
  const height = Math.max(1, share * HEIGHT);
  const foot = ABOVE + HEIGHT;
  return (
    <>
      <path className={styles.ahead} d={`M${x + 2},${foot}v${-height}h${width - 3}v${height}`} />
      {width > LABEL * 1.3 && (
        <text className={styles.time} x={x + width / 2} y={foot - height + (share > 0.2 ? 16 : -6)}>
          {strings.ahead}
        </text>
      )}
    </>
  );
}
