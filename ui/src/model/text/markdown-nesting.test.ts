import { describe, expect, it } from "vitest";
import { isNestedTooDeep } from "./markdown-nesting.js";

describe("Markdown that is nested too deep", () => {
  it.each([
    ["quotes", ">".repeat(2500)],
    ["quotes with spaces", "> ".repeat(51)],
    ["quotes in a later line", `Look:\n\n  ${"> ".repeat(2000)}x`],
    ["lists", "- ".repeat(51)],
    ["numbered lists", "1. ".repeat(51)],
    ["lists in quotes", "> * 2) +\t".repeat(13)],
  ])("is recognised in %s", (_, text) => {
    expect(isNestedTooDeep(text)).toBe(true);
  });

  it.each([
    ["fifty levels", "> ".repeat(50)],
    ["many lines of quotes", "> > text\n".repeat(500)],
    ["a rule", "-".repeat(500)],
    ["a table", `|${"---|".repeat(500)}`],
    ["an arrow", `${"-".repeat(200)}>`],
    ["text with marks", `a ${"> ".repeat(200)}`],
    ["spaces", " ".repeat(5000)],
  ])("is not taken for %s", (_, text) => {
    expect(isNestedTooDeep(text)).toBe(false);
  });
});
