import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test/support/soak.js";
import {
  formatInstant,
  instantOf,
  isOddInstant,
  nearestInstant,
  plausibleInstant,
  plausibleTime,
} from "./instant.js";

it("formats an instant as the platform does, on any day of the range of Date", () => {
  const instants = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: 0, max: 172_800_000 }),
    fc.double({ min: -1e12, max: 2e12, noNaN: true }),
  );
  fc.assert(
    fc.property(instants, fc.integer({ min: -2, max: 2 }), (instant, days) => {
      expect(formatInstant(instant)).toBe(new Date(instant).toISOString());
      const other = Math.trunc(instant / 2) + days * 86_400_000;
      expect(formatInstant(other)).toBe(new Date(other).toISOString());
    }),
    { numRuns: runs(2_000) },
  );
  expect(() => formatInstant(Number.NaN)).toThrow(RangeError);
});

it("takes instants of the years 1970 to 9998, as texts, as numbers and as dates", () => {
  const [first, last] = [0, 253_370_764_799_999];
  for (const at of [first, last]) {
    const date = new Date(at);
    expect([at, date, date.toISOString()].map(instantOf)).toEqual([at, at, at]);
  }
  for (const at of [first - 1, last + 1, -62_135_596_800_000, -62_198_755_200_000, 8.64e15, -8.64e15]) {
    const date = new Date(at);
    expect([at, date, date.toISOString()].map(instantOf)).toEqual([undefined, undefined, undefined]);
    expect([at, date, date.toISOString()].every(isOddInstant)).toBe(true);
  }
  expect([instantOf(new Date(Number.NaN)), nearestInstant(-1), nearestInstant(8.64e15)]).toEqual([
    undefined,
    first,
    last,
  ]);
  for (const value of [Number.NaN, 1e300, new Date(Number.NaN), "2016-12-31T23:59:60Z", "2026-13-04"])
    expect(isOddInstant(value), String(value)).toBe(true);
  for (const value of [undefined, null, first, "1970-01-01", "", "yesterday", {}, [], true])
    expect(isOddInstant(value), String(value)).toBe(false);
});

it("takes no text for an instant that is not written as one", () => {
  for (const text of [
    "2026-01-04T05:0x1:15.022Z",
    "x 5",
    "5",
    "2026",
    "2026-01-04T05:01:15.022Z!",
    "2026-13-04T05:01:15Z",
    "",
  ]) {
    expect(instantOf(text), text).toBeUndefined();
  }
  for (const value of [{ toString: 1 }, null, true, [1], 9e15, Number.NaN]) {
    expect(instantOf(value)).toBeUndefined();
  }
});

it.each([
  ["2026-01-04T05:01:15.022Z", 1_767_502_875_022],
  ["2026-01-04t05:01:15.022z", 1_767_502_875_022],
  ["2026-01-04T05:01:15.022123+00:00", 1_767_502_875_022],
  ["2026-01-04T07:01:15+0200", 1_767_502_875_000],
  ["2026-01-04 05:01:15Z", 1_767_502_875_000],
  ["2026-01-04", 1_767_484_800_000],
  ["+002026-01-04T00:00:00.000Z", 1_767_484_800_000],
])("reads %s", (text, instant) => {
  expect(instantOf(text)).toBe(instant);
});

it.each([
  ["1970-01-01T00:00:00.000Z", 0],
  ["1970-01-01T01:00:00+01:00", 0],
  ["1970-01-01", 0],
  ["1970-01-01T00:00:00.001Z", 1],
  ["1970-01-21T10:58:22.875Z", 1_767_502_875], // seconds instead of milliseconds
  ["1970-12-31T23:59:59.999Z", 31_535_999_999],
  ["0001-01-01T00:00:00Z", -62_135_596_800_000],
  ["1969-12-31T23:59:59.000Z", -1_000],
])("displays no instant for %s", (text, instant) => {
  expect([text, instant].map(plausibleInstant)).toEqual([undefined, undefined]);
  expect(plausibleTime(text)).toBeUndefined();
});

it("displays what could have been recorded, and a time that is no instant as it is written", () => {
  for (const text of ["1971-01-01T00:00:00.000Z", "2026-01-04T05:01:15.022123+00:00"]) {
    expect([plausibleInstant(text), plausibleTime(text)]).toEqual([instantOf(text), text]);
  }
  for (const value of [undefined, null, "", "soon", Number.NaN])
    expect(plausibleInstant(value)).toBeUndefined();
  expect(["soon", undefined].map(plausibleTime)).toEqual(["soon", undefined]);
});
