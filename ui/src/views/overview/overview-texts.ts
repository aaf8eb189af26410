import type { Stacking, UsageTotals } from "../../../../src/domain/overview/overview.js";
import type { TimeGrouping } from "../../../../src/domain/overview/time-buckets.js";
import { ABSENT, formatCost, formatTokens } from "../../../../src/domain/text/figures.js";
import { type Bar, measureText, OTHERS } from "../../model/overview/bar-chart.js";
import type { Measure } from "../../model/overview/overview-choice.js";
import { dayOf, weekday } from "../../model/text/days.js";
import { type ClockZone, formatClock } from "../../model/text/formats.js";
import { shortModel } from "../../model/text/model-name.js";
import { tenantName } from "../../model/text/tenant-name.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { STRINGS } from "../../strings/strings.js";
import type { VisibleBars } from "./visible-bars.js";

/** @example dayText("2026-11-05") // "Nov 5" */
export function dayText(day: string): string {
  return `${strings.shortMonth(monthOf(day))} ${Number(day.slice(8))}`;
}

/** @example monthText("2026-11") // "November 2026" */
export function monthText(month: string): string {
  return `${strings.months[monthOf(month)]} ${month.slice(0, 4)}`;
}

function monthOf(day: string): number {
  return Number(day.slice(5, 7)) - 1;
}

/** Short; for the first hour of a day, the day. */
export function shortTime(from: string, by: TimeGrouping, zone: ClockZone): string {
  const day = dayOf(from, zone);
  if (by === "month") return `${strings.shortMonth(monthOf(day))} ${day.slice(0, 4)}`;
  if (by !== "hour") return dayText(day);
  const clock = formatClock(Date.parse(from), zone).slice(0, 5);
  return clock === "00:00" ? dayText(day) : clock;
}

export function longTime(from: string, to: string, by: TimeGrouping, zone: ClockZone): string {
  const day = dayOf(from, zone);
  if (by === "month") return monthText(day);
  const last = dayOf(new Date(Date.parse(to) - 1).toISOString(), zone);
  if (by === "week" && last !== day) return strings.span(dayText(day), dateText(last));
  if (by !== "hour") return `${STRINGS.list.weekdays[weekday(day)]}, ${dateText(day)}`;
  return `${dateText(day)}, ${formatClock(Date.parse(from), zone).slice(0, 5)}`;
}

function dateText(day: string): string {
  return `${dayText(day)}, ${day.slice(0, 4)}`;
}

export function seriesText(name: string, stack: Stacking): string {
  if (name === OTHERS) return strings.others;
  if (name === "") return strings.nameless[stack];
  if (stack === "model") return shortModel(name);
  return stack === "project" ? projectText(name) : name;
}

/** Last folder of the path. */
export function projectText(name: string): string {
  return tenantName({ tenantId: name, ...(/[/\\]/.test(name) ? { directory: name } : {}) }).name;
}

/** Uncounted calls have no cost. */
export function costText(totals: Spent): string {
  return isUncounted(totals) ? ABSENT : formatCost(totals.cost);
}

/** Uncounted calls have no sum. */
export function tokensText(totals: Spent): string {
  return isUncounted(totals) ? ABSENT : formatTokens(totals.tokens);
}

type Spent = Pick<UsageTotals, "cost" | "tokens" | "modelCalls">;

function isUncounted({ cost, tokens, modelCalls }: Spent): boolean {
  return tokens === 0 && cost.usd === 0 && modelCalls > 0;
}

export function totalText({ row, total }: Bar, measure: Measure): string {
  return measure === "cost" ? costText(row) : measureText(total, measure);
}

export function barText(bar: Bar, { series, by, stack, measure, zone }: VisibleBars): string {
  const { from = "", to = "" } = bar.row;
  const parts = bar.values.flatMap((value, i) =>
    value > 0 ? [`${seriesText(series[i]!, stack)} ${measureText(value, measure)}`] : [],
  );
  return [`${longTime(from, to, by, zone)}: ${totalText(bar, measure)}`, ...parts].join(", ");
}
