import { firstWhere } from "../lists/lists.js";
import { nearestInstant } from "./instant.js";

/** Months count from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Instants are milliseconds since the epoch. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  private constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name;
    this.#format = format;
  }

  /** @returns `undefined` for an invalid name */
  static named(name: string): TimeZone | undefined {
    try {
      const format = new Intl.DateTimeFormat("en-US", {
        timeZone: name,
        hourCycle: "h23",
        era: "short",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
      return new TimeZone(format.resolvedOptions().timeZone, format);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  dayOf(at: number): CalendarDay {
    const local = new Date(this.#localOf(at));
    return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
  }

  hourOf(at: number): number {
    return new Date(this.#localOf(at)).getUTCHours();
  }

  /** A skipped local time becomes the first instant after the gap. */
  instantOf({ year, month, day }: CalendarDay, msOfDay = 0): number {
    const local = utcOf({ year, month, day }) + msOfDay;
    // Offsets a day before and after; of a repeated time the first instant counts.
    const candidates = [local - DAY_MS, local + DAY_MS].map((near) => local - (this.#localOf(near) - near));
    const exact = candidates.filter((at) => this.#localOf(at) === local);
    return exact.length > 0
      ? Math.min(...exact)
      : this.#endOfGap(Math.min(...candidates), Math.max(...candidates));
  }

  /** Precision: a second. */
  #endOfGap(from: number, to: number): number {
    const offset = this.#localOf(from) - from;
    const first = Math.floor(from / 1_000) * 1_000;
    const hasChanged = (at: number) => this.#localOf(at) - at !== offset;
    return (
      first + 1_000 * firstWhere(0, (to - first) / 1_000, (seconds) => hasChanged(first + seconds * 1_000))
    );
  }

  /** Local time as a UTC instant. */
  #localOf(at: number): number {
    const complete = Math.floor(at / 1_000) * 1_000;
    const parts: Record<string, string> = {};
    for (const { type, value } of this.#format.formatToParts(complete)) parts[type] = value;
    const year = parts.era === "BC" ? 1 - Number(parts.year) : Number(parts.year);
    const day = utcOf({ year, month: Number(parts.month), day: Number(parts.day) });
    const seconds = (Number(parts.hour) * 60 + Number(parts.minute)) * 60 + Number(parts.second);
    return day + seconds * 1_000 + (at - complete);
  }
}

/** `Date.UTC` takes the years 0 to 99 as 1900 to 1999. */
function utcOf({ year, month, day }: CalendarDay): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

export function daysAfter({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const at = new Date(utcOf({ year, month, day: day + days }));
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

/** 1 for Monday to 7 for Sunday (ISO 8601). */
export function weekdayOf({ year, month, day }: CalendarDay): number {
  return new Date(utcOf({ year, month, day })).getUTCDay() || 7;
}

export function dayText({ year, month, day }: CalendarDay): string {
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

const two = (value: number) => String(value).padStart(2, "0");

const SPAN = /^(\d{1,6})(m|h|d|w)$/;
const SPAN_MS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };
const DATE =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:?\d\d)?)?)?$/i;

/**
 * Accepts `now`, `today` and `yesterday` (their beginnings), `24h`, `7d` and `2w` before now, a month, a day or a time, by default in the
 * zone. Clamps to the range of instants; `undefined` for any other text.
 * @example instantMeant("2026-11-01", now, berlin) // 2026-10-31T23:00:00.000Z
 */
export function instantOf(text: string, now: number, zone: TimeZone): number | undefined {
  const time = selectedTime(text, now, zone);
  return time === undefined ? undefined : nearestInstant(time);
}

function selectedTime(text: string, now: number, zone: TimeZone): number | undefined {
  if (text === "now") return now;
  if (text === "today") return zone.instantOf(zone.dayOf(now));
  if (text === "yesterday") return zone.instantOf(daysAfter(zone.dayOf(now), -1));
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * SPAN_MS[unit!]!;
  const [, year, month, day = "01", hours = "0", minutes = "0", seconds = "0", fraction = "0", offset] =
    DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  // Rejects days such as 31 June, which `Date` moves into the next month.
  if (dayText(daysAfter(date, 0)) !== `${year}-${month}-${day}`) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
  const inDay = ms + Number(fraction.padEnd(3, "0"));
  if (offset === undefined) return zone.instantOf(date, inDay);
  return utcOf(date) + inDay - offsetOf(offset);
}

function offsetOf(text: string): number {
  if (text === "Z" || text === "z") return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
