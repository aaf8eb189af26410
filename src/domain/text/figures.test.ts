import { expect, it } from "vitest";
import { NO_COST } from "../usage/money.js";
import {
  formatBytes,
  formatCost,
  formatCount,
  formatDollars,
  formatDuration,
  formatEstimate,
  formatFineDollars,
  formatLongCost,
  formatShare,
  formatSignedTokens,
  formatTokens,
} from "./figures.js";

it("writes counts in groups of three digits, with their noun", () => {
  const counts = [0, 999, 1000, 12_345, 1_234_567, -4321].map((count) => formatCount(count));
  expect(counts).toEqual(["0", "999", "1,000", "12,345", "1,234,567", "-4,321"]);
  expect([0, 1, 1_500].map((count) => formatCount(count, "span"))).toEqual([
    "0 spans",
    "1 span",
    "1,500 spans",
  ]);
});

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
  expect([5, -1500, 0].map((tokens) => formatSignedTokens(tokens))).toEqual(["+5", "−1.5k", "0"]);
  expect([formatEstimate(1234), formatEstimate(1234, false)]).toEqual(["≈1.2k", "1.2k"]);
});

it("writes dollars to the cent, and zero only for nothing", () => {
  expect([0, 0.004, 0.005, 0.999, 12.3, 1_234_567.891].map(formatDollars)).toEqual([
    "$0.00",
    "<$0.01",
    "$0.01",
    "$1.00",
    "$12.30",
    "$1,234,567.89",
  ]);
  expect([0, 0.0001, 0.0123, 0.0999, 1234.5].map(formatFineDollars)).toEqual([
    "$0.00",
    "<$0.001",
    "$0.012",
    "$0.10",
    "$1,234.50",
  ]);
});

it("never writes $0 for a sum without prices, and marks a sum that lacks a part", () => {
  const unpriced = { ...NO_COST, unpricedCalls: 2, unpricedTokens: 10 };
  const costs = [unpriced, { ...unpriced, usd: 1 }, { ...NO_COST, usd: 1, placeholderCalls: 1 }, NO_COST];
  expect(costs.map((cost) => formatCost(cost))).toEqual(["no pricing", "≥$1.00", "≥$1.00", "$0.00"]);
  expect(costs.map(formatLongCost)).toEqual([
    "no pricing (2 calls without pricing)",
    "≥$1.00 (2 calls without pricing)",
    "≥$1.00 (undercounted: 1 call logged no complete usage)",
    "$0.00",
  ]);
});

it("writes durations in two units at most", () => {
  const durations = [0, 12.4, 999, 1000, 9949, 12_340, 59_999, 83_000, 3_600_000, 90_000_000, undefined];
  expect(durations.map(formatDuration)).toEqual([
    "0ms",
    "12ms",
    "999ms",
    "1.00s",
    "9.95s",
    "12.3s",
    "1m 00s",
    "1m 23s",
    "1h 00m",
    "1d 1h",
    "-",
  ]);
});

it("writes sizes", () => {
  expect([12, 1500, 4_000_000, 7.5e11].map(formatBytes)).toEqual(["12 B", "1.5 kB", "4 MB", "750 GB"]);
});

it("rounds a share, but never to all or to nothing", () => {
  expect([0, 0.0004, 0.0321, 0.5, 0.9996, 1, undefined].map(formatShare)).toEqual([
    "0%",
    "<0.1%",
    "3.2%",
    "50%",
    "99.9%",
    "100%",
    "-",
  ]);
});
