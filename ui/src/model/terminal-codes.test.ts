import { describe, expect, it } from "vitest";
import { withoutTerminalCodes } from "./terminal-codes.js";

describe("withoutTerminalCodes", () => {
  it.each([
    ["colours", "\u001b[31m⎯⎯\u001b[39m\u001b[1m\u001b[41m Failed \u001b[0m", "⎯⎯ Failed "],
    ["the cursor", "10%\u001b[2K\u001b[1G20%", "10%20%"],
    ["colours of 24 bits", "\u001b[38;2;255;0;0mred\u001b[38:5:1mred", "redred"],
    ["links", "\u001b]8;;https://example.com\u0007here\u001b]8;;\u001b\\", "here"],
    ["eight-bit beginnings", "\u009b31mred", "red"],
    ["a command without an end", "a\u001b]0;title", "a"],
  ])("takes away %s", (_, written, read) => {
    expect(withoutTerminalCodes(written)).toBe(read);
  });

  it("leaves every other text as it is", () => {
    for (const text of ["", "[31m is no code", "予約 🍜\n\t", "\u001b", "a \u001b[", "\u001b[é"]) {
      expect(withoutTerminalCodes(text)).toBe(text);
    }
  });

  it("takes one pass over beginnings without an end", () => {
    const beginnings = "\u001b]".repeat(500_000) + "\u001b[0".repeat(500_000);
    expect(withoutTerminalCodes(beginnings)).toBe("\u001b[0".repeat(500_000));
  });
});
