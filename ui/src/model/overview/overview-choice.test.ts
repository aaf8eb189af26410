import { describe, expect, it } from "vitest";
import { parseAddress } from "../address/address.js";
import {
  boundsOf,
  joinFilters,
  listAddress,
  narrowedTo,
  overviewQuery,
  readChoice,
  timesOf,
} from "./overview-choice.js";

const NOW = Date.parse("2026-11-26T10:20:00Z");

describe("what an address says of the overview", () => {
  it("is the default where it says nothing, or what nobody understands", () => {
    const choice = { range: "30d", by: "day", stack: "model", measure: "cost", filter: "", isTable: false };
    expect(readChoice({})).toMatchObject(choice);
    expect(readChoice({ range: "9y", by: "hour", stack: "<b>", measure: "x" })).toMatchObject(choice);
    expect(readChoice({ range: "custom", from: "soon", to: "T" })).toMatchObject({ from: "", to: "" });
  });

  it("is asked for in whole days, of the last 24 hours in whole hours", () => {
    const bounds = (query: Record<string, string>) => boundsOf(readChoice(query), NOW, "utc");
    expect(bounds({ range: "24h" })).toEqual({ from: "2026-11-25T11:00:00.000Z" });
    expect(bounds({ range: "7d" })).toEqual({ from: "2026-11-20" });
    expect(bounds({ range: "month" })).toEqual({ from: "2026-11-01" });
    expect(bounds({ range: "all" })).toEqual({});
    expect(bounds({ range: "custom", from: "2026-10-01", to: "2026-10-31" })).toEqual({
      from: "2026-10-01",
      to: "2026-11-01",
    });
  });

  it("is handed on with the filter and the zone", () => {
    expect(overviewQuery(readChoice({ filter: " tool:x " }), NOW, "utc", "UTC")).toEqual({
      from: "2026-10-28",
      zone: "UTC",
      by: "day",
      stack: "model",
      filter: "tool:x",
    });
  });

  it("has hours where they are few enough", () => {
    expect(timesOf(readChoice({ range: "7d" }))[0]).toBe("hour");
    expect(timesOf(readChoice({ range: "all" }))[0]).toBe("day");
    expect(readChoice({ range: "24h" }).by).toBe("hour");
    expect(readChoice({ range: "custom", from: "2024-01-01", to: "2026-01-01" }).by).toBe("month");
  });
});

it("a bar leads to its time alone: a day in hours, a month in days", () => {
  const month = { from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z" };
  expect(narrowedTo(month, "month", "utc")).toEqual({
    range: "custom",
    by: "day",
    from: "2026-10-01",
    to: "2026-10-31",
  });
  const day = { from: "2026-10-01T00:00:00.000Z", to: "2026-10-02T00:00:00.000Z" };
  expect(narrowedTo(day, "day", "utc")).toMatchObject({ by: "hour", from: "2026-10-01", to: "2026-10-01" });
});

it("a row leads to the list with all filters and the range; an OR stays within its own", () => {
  const choice = readChoice({
    range: "custom",
    from: "2026-10-01",
    to: "2026-10-02",
    filter: "user:a OR user:b",
  });
  const { query } = parseAddress(listAddress(choice, "tool:Bash", NOW, "utc")) as { query: object };
  expect(query).toEqual({ filter: "(user:a OR user:b) tool:Bash after:2026-10-01 before:2026-10-03" });
  expect(joinFilters("", "a OR b", undefined)).toBe("a OR b");
});
