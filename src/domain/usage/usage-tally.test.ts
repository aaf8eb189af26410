import { describe, expect, it } from "vitest";
import { addCost, type Cost, NO_COST } from "./money.js";
import { addUsage, NO_USAGE, subtractUsage, type TokenUsage, totalTokens } from "./token-usage.js";
import { UsageTally } from "./usage-tally.js";

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

function parts(seed: number): { readonly usages: readonly TokenUsage[]; readonly costs: readonly Cost[] } {
  const random = randomOf(seed);
  const count = (most = 1_000_000) => (random(3) === 0 ? 0 : random(most));
  const length = random(20);
  const usages = Array.from({ length }, (): TokenUsage => {
    const cacheWriteTokens = count();
    const usage = { inputTokens: count(), outputTokens: count(), cacheReadTokens: count(), cacheWriteTokens };
    return random(2) === 0 ? usage : { ...usage, cacheWrite1hTokens: random(cacheWriteTokens + 1) };
  });
  const costs = Array.from({ length }, (): Cost => {
    const cost = {
      usd: count() / 64,
      recordedUsd: count() / 64,
      unpricedCalls: count(9),
      unpricedTokens: count(),
    };
    return random(2) === 0 ? cost : { ...cost, placeholderCalls: count(9) };
  });
  return { usages, costs };
}

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed * 7_919 + 1);

describe("UsageTally", () => {
  it("adds up as the sums of two usages and of two costs do, in any grouping", () => {
    for (const seed of SEEDS) {
      const { usages, costs } = parts(seed);
      const halves = [new UsageTally(), new UsageTally()];
      for (const [i, usage] of usages.entries()) halves[i % 2]!.addUsage(usage);
      for (const [i, cost] of costs.entries()) halves[i % 2]!.addCost(cost);
      const tally = new UsageTally();
      for (const half of halves) tally.addTally(half);
      expect(tally.usage).toStrictEqual(usages.reduce(addUsage, NO_USAGE));
      expect(tally.cost).toStrictEqual(costs.reduce(addCost, NO_COST));
      expect([tally.tokens, tally.usd]).toStrictEqual([totalTokens(tally.usage), tally.cost.usd]);
    }
  });

  it("stays within the range of counts", () => {
    const tally = new UsageTally();
    for (let i = 0; i < 3; i++) tally.addUsage({ ...NO_USAGE, inputTokens: Number.MAX_SAFE_INTEGER });
    expect(tally.usage.inputTokens).toBe(Number.MAX_SAFE_INTEGER);
    expect(tally.tokens).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("subtractUsage", () => {
  it("returns what was added, and no negative count", () => {
    for (const seed of SEEDS) {
      const [a = NO_USAGE, b = NO_USAGE] = parts(seed).usages;
      const { cacheWrite1hTokens: _, ...added } = b;
      expect(subtractUsage(addUsage(a, b), a)).toStrictEqual(added);
      expect(Math.min(...Object.values(subtractUsage(a, b)))).toBeGreaterThanOrEqual(0);
    }
  });
});
