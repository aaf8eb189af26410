/**
 * Converts an instant to milliseconds since the epoch; readers, recorders and sources use no other conversion. Input is ISO 8601 text,
 * milliseconds or a `Date`.
 * @returns `undefined` (not recorded) for an absent or invalid value, and outside of the years 1970 to 9998
 */
export function instantOf(value: unknown): number | undefined {
  const instant = statedTime(value);
  return instant >= FIRST && instant <= LAST ? instant : undefined;
}

/**
 * No agent ran before 1971: such an instant comes from a writer without a clock, or is seconds instead of milliseconds.
 * @returns `undefined` for an instant before 1971, and for an invalid value
 * @example plausibleInstant("1970-01-01T00:00:00.000Z") // undefined
 */
export function plausibleInstant(value: unknown): number | undefined {
  const instant = instantOf(value);
  return instant !== undefined && instant >= EARLIEST ? instant : undefined;
}

/** Returns the unchanged text; `undefined` before 1971 or after 9998. */
export function plausibleTime(text: string | undefined): string | undefined {
  const time = statedTime(text);
  return time < EARLIEST || time > LAST ? undefined : text;
}

const EARLIEST = Date.parse("1971-01-01T00:00:00.000Z");

const ISO_8601 =
  /^(?:\d{4}|[+-]\d{6})-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/i;

/** As `Date.prototype.toISOString`, with a cache of the day for speed. */
export function formatInstant(instant: number): string {
  const milliseconds = Math.trunc(instant);
  const day = Math.floor(milliseconds / DAY_MS);
  if (day !== lastDay) {
    const text = new Date(milliseconds).toISOString();
    lastDate = text.slice(0, text.indexOf("T") + 1);
    lastDay = day;
  }
  const time = milliseconds - day * DAY_MS;
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

export function newestInstant(...instants: readonly (number | undefined)[]): number | undefined {
  let newest: number | undefined;
  for (const instant of instants) {
    if (instant !== undefined && (newest === undefined || instant > newest)) newest = instant;
  }
  return newest;
}

/** True for an instant that counts as not recorded: a warning reports it. */
export function isOddInstant(value: unknown): boolean {
  const isWritten = typeof value === "string" ? ISO_8601.test(value) : typeof value === "number";
  return (isWritten || value instanceof Date) && instantOf(value) === undefined;
}

export const ODD_INSTANT =
  "has a time that is no instant of the years 1970 to 9998: the time counts as not recorded";

/** For the ends of a requested range. */
export function nearestInstant(time: number): number {
  return Math.min(Math.max(time, FIRST), LAST);
}

/** Any year; `NaN` for an invalid value. */
function statedTime(value: unknown): number {
  if (typeof value === "number") return value;
  if (value instanceof Date) return value.getTime();
  // The platform's parser also reads texts such as "x 5", and times with letters in them.
  return typeof value === "string" && ISO_8601.test(value) ? Date.parse(value) : Number.NaN;
}

/** Writers without a clock put the year 1 or 9999. Inside of the range every year has four digits, in every time zone. */
const FIRST = 0;
const LAST = Date.parse("9998-12-31T23:59:59.999Z");
