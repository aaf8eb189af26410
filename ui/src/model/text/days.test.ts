import { expect, it } from "vitest";
import { dayOf, daysBefore, weekday } from "./days.js";

it("names the day of an instant, and none where it is none", () => {
  expect(dayOf("2026-01-15T23:59:59.999Z", "utc")).toBe("2026-01-15");
  expect(dayOf(new Date(2026, 0, 15, 0, 1).toISOString(), "local")).toBe("2026-01-15");
  expect(dayOf("", "utc")).toBe("");
});

it("counts days over the ends of months", () => {
  expect(daysBefore("2026-02-28", "2026-03-01")).toBe(1);
  expect(daysBefore("2026-03-01", "2026-03-01")).toBe(0);
});

it("knows the days of the week", () =>
  expect([weekday("2026-01-15"), weekday("2026-01-18")]).toEqual([4, 0]));
