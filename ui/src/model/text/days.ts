import { type ClockZone, formatInstant } from "./formats.js";

const DAY_MS = 86_400_000;

/**
 * `""` for an invalid instant.
 * @example dayOf("1970-01-01T00:00:00.000Z", "utc") // "1970-01-01"
 */
export function dayOf(timestamp: string, zone: ClockZone): string {
  const instant = Date.parse(timestamp);
  return Number.isNaN(instant) ? "" : formatInstant(instant, zone).slice(0, 10);
}

/** 0 on the same day, 1 for the previous day. */
export function daysBefore(day: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(day)) / DAY_MS);
}

/** @example addDays("2026-02-28", 1) // "2026-03-01" */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekday(day: string): number {
  return new Date(day).getUTCDay();
}
