/**
 * Instants in records come as ISO 8601 strings or as milliseconds since the epoch. Inside they are milliseconds; in
 * responses they are ISO 8601, UTC, with milliseconds. `undefined` means that the record knows none, or one that no year of four digits
 * has: as text it would come neither before nor behind the others, and it is none that RFC 3339 allows.
 */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === "number") return isRepresentable(value) ? value : undefined;
  // The platform's parser takes much for a date that is none: "x 5", or a time with letters in it.
  if (typeof value !== "string" || !ISO_8601.test(value)) return undefined;
  const instant = Date.parse(value);
  return isRepresentable(instant) ? instant : undefined;
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

/** A recorded time as it is written, for display; `undefined` for an instant before 1971. */
export function plausibleTime(text: string | undefined): string | undefined {
  const instant = instantOf(text);
  return instant !== undefined && instant < EARLIEST ? undefined : text;
}

const EARLIEST = Date.parse("1971-01-01T00:00:00.000Z");

/** A date, or a date and a time, as any of the usual writers spell it. */
const ISO_8601 =
  /^(?:\d{4}|[+-]\d{6})-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/i;

/** ISO 8601, UTC, with milliseconds, as `Date.prototype.toISOString` writes it, without making the day anew each time. */
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

/** The newest of the instants that are known. */
export function newestInstant(...instants: readonly (number | undefined)[]): number | undefined {
  let newest: number | undefined;
  for (const instant of instants) {
    if (instant !== undefined && (newest === undefined || instant > newest)) newest = instant;
  }
  return newest;
}

const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

function isRepresentable(instant: number): boolean {
  return instant >= FIRST && instant <= LAST;
}
