import { describe, expect, it } from "vitest";
import { initiallyOpen } from "./initially-open.js";

describe("what of a tree is open at first", () => {
  it("is two levels below the root", () => {
    const deep = { deeper: 1 };
    const event = { type: "tool.start", input: deep };
    const start = { id: "a", event };
    expect(initiallyOpen({ start })).toEqual(new Set([start, event]));
  });

  it("leaves out what would be too much, and goes on beside it", () => {
    const table = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]));
    const usage = { inputTokens: 1 };
    expect(initiallyOpen({ table, usage })).toEqual(new Set([usage]));
  });

  it("opens nothing in a list of many", () => {
    expect(initiallyOpen(Array.from({ length: 10_000 }, (_, i) => ({ i }))).size).toBe(0);
  });

  it("is nothing of what is no tree", () => {
    expect(initiallyOpen("text").size).toBe(0);
    expect(initiallyOpen(null).size).toBe(0);
  });
});
