import { describe, expect, it, vi } from "vitest";
import { previewText, withoutTerminalCodes } from "../../../../src/domain/text/preview-text.js";
import { formatAgo, formatClock, formatInstant } from "./formats.js";

describe("formats", () => {
  it("writes instants in UTC with milliseconds", () => {
    expect(formatInstant(Date.UTC(2026, 1, 11, 0, 31, 35, 7), "utc")).toBe("2026-02-11 00:31:35.007");
  });

  it("writes instants in the zone of the reader, which may be another in summer", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    expect(formatInstant(Date.UTC(2026, 0, 31, 23, 5, 9), "local")).toBe("2026-02-01 00:05:09.000");
    expect(formatInstant(Date.UTC(2026, 6, 31, 23, 5, 9), "local")).toBe("2026-08-01 01:05:09.000");
    expect(formatClock(Date.UTC(2026, 6, 31, 23, 5, 9), "utc")).toBe("23:05:09");
    vi.unstubAllEnvs();
  });

  it("says how long ago something was", () => {
    expect([0, 30, 90, 7300, 200_000, 8_000_000].map((s) => formatAgo(1e12 - s * 1000, 1e12))).toEqual([
      "just now",
      "30s ago",
      "1m ago",
      "2h ago",
      "2d ago",
      "3mo ago",
    ]);
    expect([30, 90, 200_000, 7e8].map((s) => formatAgo(1e12 + s * 1000, 1e12))).toEqual([
      "just now",
      "in 1m",
      "in 2d",
      "in 22y",
    ]);
  });

  it("writes previews", () => {
    expect(previewText("\n\n a  b\nc ")).toBe("a b c");
    expect(previewText("abcdef", 4)).toBe("abc…");
  });
});

describe("withoutTerminalCodes", () => {
  it.each([
    ["colours", "\u001b[31m⎯⎯\u001b[39m\u001b[1m\u001b[41m Failed \u001b[0m", "⎯⎯ Failed "],
    ["a character set", "\u001b(B\u001b[mred\u001b(0", "red"],
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
