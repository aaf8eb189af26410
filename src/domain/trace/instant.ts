/**
 * The instant that a record states, in milliseconds since the epoch. Readers, recorders and sources take each instant through here, and compute
 * with no other. Records state it as ISO 8601 text, as milliseconds or as a `Date`; responses have ISO 8601, UTC, with milliseconds.
 *
 * @returns `undefined`, which means "not recorded", for an absent value, for a value that is no instant, and for an instant outside of the years
 * 1970 to 9998
 */
export function instantOf(value: unknown): number | undefined {
  const instant = statedTime(value);
  return instant >= FIRST && instant <= LAST ? instant : undefined;
}

/**
 * An instant for display. No agent ran before 1971: such an instant is the epoch or the year 1 of a writer without a clock, or seconds that were
 * written as milliseconds.
 *
 * @returns `undefined` for an instant before 1971, and for a value that is no instant
 * @example plausibleInstant("1970-01-01T00:00:00.000Z") // undefined
 */
export function plausibleInstant(value: unknown): number | undefined {
  const instant = instantOf(value);
  return instant !== undefined && instant >= EARLIEST ? instant : undefined;
}

/** A recorded time as it is written, for display; `undefined` for an instant before 1971 or after 9998. */
export function plausibleTime(text: string | undefined): string | undefined {
  const time = statedTime(text);
  return time < EARLIEST || time > LAST ? undefined : text;
}

const EARLIEST = Date.parse("1971-01-01T00:00:00.000Z");

/** A date, or a date and a time, as any of the usual writers spell it. */
const ISO_8601 =
  /^(?:\d{4}|[+-]\d{6})-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/i;

/** ISO 8601, UTC, with milliseconds, like `Date.prototype.toISOString`, without formatting the day each time. */
export function formatInstant(instant: number): string {
  const whole = Math.trunc(instant);
  const day = Math.floor(whole / DAY_MS);
  if (day !== lastDay) {
    const text = new Date(whole).toISOString();
    lastDate = text.slice(0, text.indexOf("T") + 1);
    lastDay = day;
  }
  const time = whole - day * DAY_MS;
  const seconds = Math.floor(time / 1_000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
  return `${lastDate}${clock}.${pad(time % 1_000, 3)}Z`;
}

const DAY_MS = 86_400_000;
let lastDay = Number.NaN;
let lastDate = "";

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, "0");
}

/** The newest of the present instants. */
export function newestInstant(...instants: readonly (number | undefined)[]): number | undefined {
  let newest: number | undefined;
  for (const instant of instants) {
    if (instant !== undefined && (newest === undefined || instant > newest)) newest = instant;
  }
  return newest;
}

/** True if a value is written as an instant but counts as not recorded. A warning reports it. */
export function isOddInstant(value: unknown): boolean {
  const isWritten = typeof value === "string" ? ISO_8601.test(value) : typeof value === "number";
  return (isWritten || value instanceof Date) && instantOf(value) === undefined;
}

/** Why a record with such an instant is not displayed as stored. */
export const ODD_INSTANT =
  "has a time that is no instant of the years 1970 to 9998: the time counts as not recorded";

/** The instant nearest to a time: for the ends of a range, which lie outside of it where a request says so. */
export function nearestInstant(time: number): number {
  return Math.min(Math.max(time, FIRST), LAST);
}

/** Milliseconds since the epoch, in any year; `NaN` for a value that states no time. */
function statedTime(value: unknown): number {
  if (typeof value === "number") return value;
  if (value instanceof Date) return value.getTime();
  // The platform's parser also reads texts such as "x 5", and times with letters in them.
  return typeof value === "string" && ISO_8601.test(value) ? Date.parse(value) : Number.NaN;
}

/** Writers without a clock put the year 1 or 9999. Every day, week and month of the range also has a year of four digits in every time zone. */
const FIRST = 0;
const LAST = Date.parse("9998-12-31T23:59:59.999Z");
