import type { OverviewRow, Pace, RowPart } from "../../../../src/domain/overview/overview.js";
import { formatCount, formatDollars, formatTokens } from "../../../../src/domain/text/figures.js";
import { addDays } from "../text/days.js";
import type { Measure } from "./overview-choice.js";

/** Other names share a color. */
const MOST_SERIES = 6;

/** The service's name for the smallest ones. */
export const OTHERS = "…";

export interface Bar {
  readonly row: OverviewRow;
  readonly values: readonly number[];
  readonly total: number;
  /** Exceeds `total` if counted items belong to several series. */
  readonly height: number;
}

/** Sorted by cost, then tokens, regardless of the measure, so that each name retains its color. */
export function seriesOf(rows: readonly OverviewRow[]): readonly string[] {
  const sums = new Map<string, { usd: number; tokens: number }>();
  for (const { name, usd, tokens } of rows.flatMap(({ parts }) => parts)) {
    const sum = sums.get(name) ?? { usd: 0, tokens: 0 };
    sums.set(name, { usd: sum.usd + usd, tokens: sum.tokens + tokens });
  }
  const named = [...sums]
    .filter(([name]) => name !== OTHERS)
    .sort(([, a], [, b]) => b.usd - a.usd || b.tokens - a.tokens)
    .map(([name]) => name);
  const hasOthers = sums.has(OTHERS) || named.length > MOST_SERIES;
  return [...named.slice(0, MOST_SERIES), ...(hasOthers ? [OTHERS] : [])];
}

export function barsOf(rows: readonly OverviewRow[], series: readonly string[], measure: Measure): Bar[] {
  const places = new Map(series.map((name, i) => [name, i]));
  return rows.map((row) => {
    const values = series.map(() => 0);
    for (const part of row.parts) {
      const place = places.get(part.name) ?? places.get(OTHERS);
      if (place !== undefined) values[place]! += partValue(part, measure);
    }
    const height = values.reduce((sum, value) => sum + value, 0);
    return { row, values, total: rowValue(row, measure), height };
  });
}

function partValue({ usd, tokens, sessions }: RowPart, measure: Measure): number {
  return { cost: usd, tokens, sessions }[measure];
}

function rowValue({ cost, tokens, sessions }: OverviewRow, measure: Measure): number {
  return { cost: cost.usd, tokens, sessions }[measure];
}

/** From tomorrow to the end of the month. Empty if the month is not the last visible one. */
export function daysAhead({ month }: Pick<Pace, "month">, lastDay: string): readonly string[] {
  const days: string[] = [];
  if (!lastDay.startsWith(month)) return days;
  for (let day = addDays(lastDay, 1); day.startsWith(month); day = addDays(day, 1)) days.push(day);
  return days;
}

/** Dollars with the precision of the axis. */
export function axisText(value: number, measure: Measure, step: number): string {
  if (measure === "sessions") return formatCount(value);
  if (measure === "tokens") return formatTokens(value);
  if (value === 0) return "$0";
  const digits = step >= 1 && Number.isInteger(step) ? 0 : Math.max(2, Math.ceil(-Math.log10(step)));
  return digits === 2 ? formatDollars(value) : `$${formatDigits(value, digits)}`;
}

function formatDigits(value: number, digits: number): string {
  return digits === 0 ? formatCount(Math.round(value)) : value.toFixed(digits);
}

/** @example measureText(12.3, "cost") // "$12.30" */
export function measureText(value: number, measure: Measure): string {
  return measure === "cost"
    ? formatDollars(value)
    : measure === "tokens"
      ? formatTokens(value)
      : formatCount(value);
}
