import type { QueryOf } from "../../../../src/application/questions/endpoints.js";
import { type OverviewRow, STACKINGS, type Stacking } from "../../../../src/domain/overview/overview.js";
import type { TimeGrouping } from "../../../../src/domain/overview/time-buckets.js";
import { type AddressQuery, formatAddress } from "../address/address.js";
import { addDays, dayOf, daysBefore } from "../text/days.js";
import type { ClockZone } from "../text/formats.js";

export const RANGES = ["24h", "7d", "30d", "month", "all", "custom"] as const;
export type RangeName = (typeof RANGES)[number];

export const TIMES: readonly TimeGrouping[] = ["hour", "day", "week", "month"];

export const MEASURES = ["cost", "tokens", "sessions"] as const;
export type Measure = (typeof MEASURES)[number];

/** From an address; invalid values become the default. */
export interface OverviewChoice {
  readonly range: RangeName;
  /** First day of `custom`, or an instant; `""` for the beginning. */
  readonly from: string;
  /** Last day of `custom`, or the instant after it; `""` for now. */
  readonly to: string;
  readonly by: TimeGrouping;
  readonly stack: Stacking;
  readonly measure: Measure;
  readonly filter: string;
  readonly isTable: boolean;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const HOUR_MS = 3_600_000;
const MOST_HOURLY_DAYS = 14;

export function readChoice(query: AddressQuery): OverviewChoice {
  const range = RANGES.find((name) => name === query.range) ?? "30d";
  const isCustom = range === "custom";
  const from = isCustom ? instantText(query.from) : "";
  const to = isCustom ? instantText(query.to) : "";
  const times = timesOf({ range, from, to });
  return {
    range,
    from,
    to,
    by: times.find((name) => name === query.by) ?? usualTime({ range, from, to }),
    stack: STACKINGS.find((name) => name === query.stack) ?? "model",
    measure: MEASURES.find((name) => name === query.measure) ?? "cost",
    filter: query.filter?.trim() ?? "",
    isTable: query.table === "1",
  };
}

type ChosenRange = Pick<OverviewChoice, "range" | "from" | "to">;

export function timesOf(range: ChosenRange): readonly TimeGrouping[] {
  return TIMES.filter((time) => time !== "hour" || daysIn(range) <= MOST_HOURLY_DAYS);
}

function usualTime(range: ChosenRange): TimeGrouping {
  const days = daysIn(range);
  if (days <= 1) return "hour";
  return days <= 62 ? "day" : days <= 366 ? "week" : "month";
}

function daysIn({ range, from, to }: ChosenRange): number {
  if (range === "24h") return 1;
  if (range === "7d") return 7;
  if (range === "all" || (range === "custom" && from === "")) return Number.POSITIVE_INFINITY;
  if (range !== "custom") return 31;
  const last = to === "" ? new Date().toISOString() : to;
  return daysBefore(from.slice(0, 10), last.slice(0, 10)) + 1;
}

function instantText(text = ""): string {
  return (DAY.test(text) || text.includes("T")) && !Number.isNaN(Date.parse(text)) ? text : "";
}

/** Full days except for the 24 hours, so that no bar is partial. */
export function boundsOf(
  { range, from, to }: ChosenRange,
  now: number,
  zone: ClockZone,
): { readonly from?: string; readonly to?: string } {
  const today = dayOf(new Date(now).toISOString(), zone);
  switch (range) {
    case "24h":
      return { from: new Date(Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS).toISOString() };
    case "7d":
      return { from: addDays(today, -6) };
    case "30d":
      return { from: addDays(today, -29) };
    case "month":
      return { from: `${today.slice(0, 7)}-01` };
    case "all":
      return {};
    case "custom":
      return {
        ...(from === "" ? {} : { from }),
        ...(to === "" ? {} : { to: DAY.test(to) ? addDays(to, 1) : to }),
      };
    default:
      return range satisfies never;
  }
}

export function overviewQuery(
  choice: OverviewChoice,
  now: number,
  zone: ClockZone,
  zoneName: string,
): QueryOf<"getOverview"> {
  const { by, stack, filter } = choice;
  return { ...boundsOf(choice, now, zone), zone: zoneName, by, stack, filter: filter || undefined };
}

export function narrowedTo(
  { from = "", to = "" }: Pick<OverviewRow, "from" | "to">,
  by: TimeGrouping,
  zone: ClockZone,
): AddressQuery {
  if (by === "hour") return { range: "custom", by, from, to };
  const last = dayOf(new Date(Date.parse(to) - 1).toISOString(), zone);
  return { range: "custom", by: by === "day" ? "hour" : "day", from: dayOf(from, zone), to: last };
}

/** An `OR` stays within its filter. */
export function joinFilters(...filters: readonly (string | undefined)[]): string {
  const present = filters.filter((filter): filter is string => filter !== undefined && filter !== "");
  if (present.length < 2) return present.join("");
  return present.map((filter) => (/\bOR\b/.test(filter) ? `(${filter})` : filter)).join(" ");
}

export function listAddress(choice: OverviewChoice, filter: string, now: number, zone: ClockZone): string {
  const { from, to } = boundsOf(choice, now, zone);
  const all = joinFilters(choice.filter, filter, from && `after:${from}`, to && `before:${to}`);
  return formatAddress({ view: "sessions", query: { filter: all } });
}
