import { type CalendarDay, daysAfter, dayText, type TimeZone, weekdayOf } from "../trace/time-zone.js";
import { type Grouping, MOST_ROWS } from "./overview.js";

export interface TimeBucket {
  /** `2026-11-26`, of a month `2026-11`, of an hour `2026-11-26 14:00`. */
  readonly name: string;
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

export type TimeGrouping = Extract<Grouping, "hour" | "day" | "week" | "month">;

export function isTime(by: Grouping): by is TimeGrouping {
  return by === "hour" || by === "day" || by === "week" || by === "month";
}

const HOUR_MS = 3_600_000;

const MOST_HOURS = { hour: 1, day: 24, week: 168, month: 744 } as const;

/** Complete at both ends, without gaps; `undefined` if there are too many. */
export function timeBuckets(
  by: TimeGrouping,
  from: number,
  to: number,
  zone: TimeZone,
): readonly TimeBucket[] | undefined {
  // Changes of the offset add less than two days.
  if ((to - from) / HOUR_MS > MOST_ROWS * MOST_HOURS[by] + 48) return undefined;
  const buckets: TimeBucket[] = [];
  for (let begin = beginOf(by, from, zone); begin < to; ) {
    if (buckets.length === MOST_ROWS) return undefined;
    const end = endOf(by, begin, zone);
    buckets.push({ name: nameOf(by, begin, zone), from: begin, to: end });
    begin = end;
  }
  return buckets;
}

function beginOf(by: TimeGrouping, at: number, zone: TimeZone): number {
  const day = zone.dayOf(at);
  switch (by) {
    case "hour":
      // Offsets may be quarter hours: an hour begins at minute 0 of the local clock.
      return at - ((((at - zone.instantOf(day)) % HOUR_MS) + HOUR_MS) % HOUR_MS);
    case "day":
      return zone.instantOf(day);
    case "week":
      return zone.instantOf(daysAfter(day, 1 - weekdayOf(day)));
    case "month":
      return zone.instantOf({ ...day, day: 1 });
    default:
      return by satisfies never;
  }
}

function endOf(by: TimeGrouping, begin: number, zone: TimeZone): number {
  const day = zone.dayOf(begin);
  switch (by) {
    case "hour":
      return begin + HOUR_MS;
    case "day":
      return zone.instantOf(daysAfter(day, 1));
    case "week":
      return zone.instantOf(daysAfter(day, 7));
    case "month":
      return zone.instantOf(nextMonth(day));
    default:
      return by satisfies never;
  }
}

export function nextMonth({ year, month }: CalendarDay): CalendarDay {
  return month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
}

function nameOf(by: TimeGrouping, begin: number, zone: TimeZone): string {
  const day = zone.dayOf(begin);
  if (by === "month") return dayText(day).slice(0, 7);
  return by === "hour" ? `${dayText(day)} ${String(zone.hourOf(begin)).padStart(2, "0")}:00` : dayText(day);
}
