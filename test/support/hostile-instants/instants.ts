/** Values instead of an instant, as JSON, without `null`: from writers without a clock, with another unit, or hostile ones. */
export const HOSTILE_INSTANTS: readonly unknown[] = [
  "0000-01-01",
  "0000-01-01T00:00:00.000Z",
  "0001-01-01T00:00:00Z",
  "0099-12-31T23:59:59.999Z",
  "-000001-01-01T00:00:00.000Z",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59.999-12:00",
  "+010000-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.000Z",
  "2016-12-31T23:59:60Z",
  "2026-02-30T25:61:61.000Z",
  "2026-01-04T05:01:15.022",
  "",
  "NaN",
  "1e300",
  1e300,
  -1,
  -62_135_596_800_000,
  253_402_300_800_000,
  8.64e15,
  8.64e15 + 2,
  1_768_478_400,
  0.5,
  {},
  [],
  true,
  // Nanoseconds: the year 1 as a number of 64 bits, the largest such number, and a negative one.
  "11651379494838206464",
  "18446744073709551615",
  "-1",
];

/** Forms of the good instants: ISO 8601, milliseconds, nanoseconds. */
const ISO = /^2026-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)$/;
const [FIRST_MS, LAST_MS] = [Date.UTC(2026, 0), Date.UTC(2027, 0)];

function isInstant(value: unknown): boolean {
  if (typeof value === "number") return value >= FIRST_MS && value < LAST_MS;
  return typeof value === "string" && (ISO.test(value) || /^17\d{17}$/.test(value));
}

/** @param every 1 changes each instant, 2 every other one */
export function withInstants<T>(records: T, value: unknown, every: number): T {
  let count = 0;
  const changed = (_: string, member: unknown) =>
    isInstant(member) && count++ % every === 0 ? value : member;
  return JSON.parse(JSON.stringify(records, changed)) as T;
}
