import { describe, expect, it } from "vitest";
import { daysAfter, dayText, instantOf, TimeZone, weekdayOf } from "./time-zone.js";

const zone = (name: string) => TimeZone.named(name)!;
const at = Date.parse;

describe("TimeZone", () => {
  it.each([
    ["UTC", "2026-11-01", "2026-11-01T00:00:00.000Z"],
    ["Europe/Berlin", "2026-11-01", "2026-10-31T23:00:00.000Z"],
    ["Europe/Berlin", "2026-07-01", "2026-06-30T22:00:00.000Z"],
    ["Asia/Kolkata", "2026-11-01", "2026-10-31T18:30:00.000Z"],
    ["Asia/Kathmandu", "2026-11-01", "2026-10-31T18:15:00.000Z"],
    ["Pacific/Kiritimati", "2026-11-01", "2026-10-31T10:00:00.000Z"],
    // Clocks go forward at midnight there: the day begins at one.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["America/Santiago", "2050-09-04", "2050-09-04T04:00:00.000Z"],
  ])("in %s the day %s begins at %s", (name, day, begin) => {
    expect(instantOf(day, 0, zone(name))).toBe(at(begin));
    expect(dayText(zone(name).dayOf(at(begin)))).toBe(day);
    expect(dayText(zone(name).dayOf(at(begin) - 1))).toBe(
      dayText(daysAfter(zone(name).dayOf(at(begin)), -1)),
    );
  });

  it("knows no zone that is none", () => {
    expect(TimeZone.named("Europe/Nowhere")).toBeUndefined();
    expect(TimeZone.named("../etc")).toBeUndefined();
  });
});

describe("instantMeant", () => {
  const now = at("2026-11-26T10:20:30.400Z");
  it.each([
    ["now", "2026-11-26T10:20:30.400Z"],
    ["today", "2026-11-25T23:00:00.000Z"],
    ["yesterday", "2026-11-24T23:00:00.000Z"],
    ["24h", "2026-11-25T10:20:30.400Z"],
    ["2w", "2026-11-12T10:20:30.400Z"],
    ["2026-11", "2026-10-31T23:00:00.000Z"],
    ["2026-11-26T01:02", "2026-11-26T00:02:00.000Z"],
    ["2026-11-26T01:02:03.5Z", "2026-11-26T01:02:03.500Z"],
    ["2026-11-26T01:02+05:30", "2026-11-25T19:32:00.000Z"],
  ])("reads %s", (text, instant) => {
    expect(instantOf(text, now, zone("Europe/Berlin"))).toBe(at(instant));
  });

  it.each(["", "soon", "2026-02-30", "2026-13", "2026-11-26T25:00", "7y", "-7d", "7"])(
    "reads no instant in %j",
    (text) => {
      expect(instantOf(text, now, zone("UTC"))).toBeUndefined();
    },
  );
});

it("counts the days of a week from Monday", () => {
  expect(weekdayOf({ year: 2026, month: 11, day: 23 })).toBe(1);
  expect(weekdayOf({ year: 2026, month: 11, day: 29 })).toBe(7);
});

it.each(["UTC", "Asia/Kathmandu", "Pacific/Apia"])("has days of the years 1 to 99 in %s", (name) => {
  for (const year of [1, 68, 99]) {
    const day = { year, month: 12, day: 31 };
    const at = zone(name).instantOf(day);
    expect(zone(name).dayOf(at)).toEqual(day);
    expect(new Date(at + 86_400_000).getUTCFullYear()).toBeLessThanOrEqual(year + 1);
    expect([daysAfter(day, 1), dayText(daysAfter(day, 1))]).toEqual([
      { year: year + 1, month: 1, day: 1 },
      `${String(year + 1).padStart(4, "0")}-01-01`,
    ]);
  }
  expect(weekdayOf({ year: 1, month: 1, day: 1 })).toBe(1);
});

it("takes the nearest instant of the range for a time outside of it", () => {
  const now = at("2026-11-26T12:00:00Z");
  expect(
    ["0001-01-01", "0099-12", "1969-12-31T23:59Z", "999999w"].map((text) =>
      instantOf(text, now, zone("UTC")),
    ),
  ).toEqual([0, 0, 0, 0]);
  expect(instantOf("9999-12-31", now, zone("UTC"))).toBe(Date.UTC(9998, 11, 31, 23, 59, 59, 999));
});
