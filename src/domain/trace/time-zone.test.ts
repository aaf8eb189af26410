import { describe, expect, it } from "vitest";
import { daysAfter, dayText, instantMeant, TimeZone, weekdayOf } from "./time-zone.js";

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
    expect(instantMeant(day, 0, zone(name))).toBe(at(begin));
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
    expect(instantMeant(text, now, zone("Europe/Berlin"))).toBe(at(instant));
  });

  it.each(["", "soon", "2026-02-30", "2026-13", "2026-11-26T25:00", "7y", "-7d", "7"])(
    "reads no instant in %j",
    (text) => {
      expect(instantMeant(text, now, zone("UTC"))).toBeUndefined();
    },
  );
});

it("counts the days of a week from Monday", () => {
  expect(weekdayOf({ year: 2026, month: 11, day: 23 })).toBe(1);
  expect(weekdayOf({ year: 2026, month: 11, day: 29 })).toBe(7);
});
