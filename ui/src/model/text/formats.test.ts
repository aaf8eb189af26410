import { describe, expect, it, vi } from "vitest";
import { previewText, withoutTerminalCodes } from "../../../../src/domain/text/preview-text.js";
import {
  formatAgo,
  formatBytes,
  formatClock,
  formatCount,
  formatDollars,
  formatDuration,
  formatInstant,
  formatSignedTokens,
  formatTokens,
} from "./formats.js";

describe("formats", () => {
  it("shortens tokens", () => {
    expect([0, 999, 1000, 1234, 99_949, 167_731, 999_499, 1_000_000, 27_640_000].map(formatTokens)).toEqual([
      "0",
      "999",
      "1k",
      "1.2k",
      "99.9k",
      "168k",
      "999k",
      "1M",
      "27.6M",
    ]);
    expect([5, -1500, 0].map(formatSignedTokens)).toEqual(["+5", "−1.5k", "0"]);
  });

  it("writes dollars to the cent, and none of nothing only", () => {
    expect([0, 0.004, 0.005, 0.999, 12.3, 1_234_567.891].map(formatDollars)).toEqual([
      "$0.00",
      "<$0.01",
      "$0.01",
      "$1.00",
      "$12.30",
      "$1,234,567.89",
    ]);
  });

  it("writes durations in two units at most", () => {
    expect(
      [0, 12.4, 999, 1000, 9949, 12_340, 59_999, 83_000, 3_600_000, 90_000_000].map(formatDuration),
    ).toEqual(["0ms", "12ms", "999ms", "1.00s", "9.95s", "12.3s", "1m 00s", "1m 23s", "1h 00m", "1d 1h"]);
  });

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

  it("writes counts in groups of three digits", () => {
    expect([0, 999, 1000, 12_345, 1_234_567, -4321].map(formatCount)).toEqual([
      "0",
      "999",
      "1,000",
      "12,345",
      "1,234,567",
      "-4,321",
    ]);
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

  it("writes sizes and previews", () => {
    expect([12, 1500, 4_000_000, 7.5e11].map(formatBytes)).toEqual(["12 B", "1.5 kB", "4 MB", "750 GB"]);
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
