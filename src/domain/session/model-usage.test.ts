import { describe, expect, it } from "vitest";
import { CONTEXT_TIERS } from "../usage/context-tiers.js";
import { isLowerBound, NO_COST } from "../usage/money.js";
import { NO_USAGE } from "../usage/token-usage.js";
import {
  addUsageByModel,
  costOfModels,
  type ModelUsage,
  UsageByModel,
  usageByModelIn,
} from "./model-usage.js";

const DAY_MS = 86_400_000;
const used = (inputTokens: number, outputTokens = 0) => ({ ...NO_USAGE, inputTokens, outputTokens });

describe("Usage by model", () => {
  it("is that of calls which cost alike", () => {
    const usage = new UsageByModel();
    usage.add({ model: "a", at: 5, usage: used(10, 1) });
    usage.add({ model: "a", at: 9, usage: used(20, 2) });
    usage.add({ model: "a", at: DAY_MS, usage: used(1) });
    usage.add({ model: "b", provider: "azure", at: 7, usage: used(3) });
    usage.add({ model: "a", at: 7, usage: used(CONTEXT_TIERS[1] + 1) });
    usage.add({ model: "a", at: 7, usage: used(2), recordedUsd: 0.5 });
    usage.add({ model: "a", at: 8, usage: used(2), recordedUsd: 0.25 });
    usage.add({ model: undefined, at: 7, usage: used(4) });
    usage.add({ model: "failed", at: 7, usage: NO_USAGE });
    expect(usage.groups).toEqual([
      { model: "a", at: 9, contextTokens: 20, calls: 2, usage: used(30, 3) },
      { model: "a", at: DAY_MS, contextTokens: 1, calls: 1, usage: used(1) },
      { model: "b", provider: "azure", at: 7, contextTokens: 3, calls: 1, usage: used(3) },
      { model: "a", at: 7, contextTokens: 200_000, calls: 1, usage: used(200_000) },
      { model: "a", at: 8, contextTokens: 2, calls: 2, usage: used(4), recordedUsd: 0.75 },
      { at: 7, contextTokens: 4, calls: 1, usage: used(4) },
    ]);
  });

  it("says how many calls were counted by what their stream began with, and so does their cost", () => {
    const usage = new UsageByModel();
    usage.add({ model: "a", at: 5, usage: used(10, 1), isPlaceholder: true });
    usage.add({ model: "a", at: 9, usage: used(20, 2) });
    usage.add({ model: "a", at: 9, usage: used(20, 2), isPlaceholder: true });
    usage.add({ model: "a", at: 9, usage: used(20, 2), isPlaceholder: true, recordedUsd: 1 });
    const stored = JSON.parse(JSON.stringify({ usageByModel: usage.groups }));
    const groups = usageByModelIn(stored);
    expect(groups).toEqual(usage.groups);
    expect(groups.map(({ calls, placeholderCalls }) => [calls, placeholderCalls])).toEqual([
      [3, 2],
      [1, 1],
    ]);
    const rates = { input: 1, output: 10, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };
    const cost = costOfModels(groups, () => rates);
    expect(cost).toEqual({ ...NO_COST, usd: 101, recordedUsd: 1, placeholderCalls: 2 });
    expect(isLowerBound(cost)).toBe(true);
    expect(isLowerBound(costOfModels(groups.slice(1), () => rates))).toBe(false);
    // A call without a price counts only as unpriced.
    expect(costOfModels(groups, () => undefined)).not.toHaveProperty("placeholderCalls");
  });

  it("tells calls apart that follow one another and differ in one thing", () => {
    const call = { model: "a", provider: "p", at: 0, usage: used(1) };
    const others = [
      { ...call, model: "b" },
      { ...call, provider: "q" },
      { ...call, at: DAY_MS },
      { ...call, usage: used(CONTEXT_TIERS[0] + 1) },
      { ...call, recordedUsd: 1 },
    ];
    for (const other of others) {
      const usage = new UsageByModel();
      for (const one of [call, other, call, other]) usage.add(one);
      expect(usage.groups.map(({ calls }) => calls)).toEqual([2, 2]);
    }
  });

  it("is the same where calls are added one by one, as a log tells them", () => {
    for (const days of [1, 50]) {
      const sum = new UsageByModel();
      let added: readonly ModelUsage[] = [];
      for (let i = 0; i < 300; i++) {
        const facts = { model: `m${i % 3}`, at: (i % days) * DAY_MS, usage: used(1 + (i % 7) * 50_000) };
        const call = { ...facts, ...(i % 5 === 0 ? { recordedUsd: 1 } : {}) };
        sum.add(call);
        const one = new UsageByModel();
        one.add(call);
        added = addUsageByModel(added, one.groups);
      }
      const totalOf = (groups: readonly ModelUsage[]) => costOfModels(groups, () => undefined);
      expect(totalOf(added)).toEqual(totalOf(sum.groups));
      expect(added.length).toBeLessThanOrEqual(34);
      if (days === 1) expect(added).toEqual(sum.groups);
    }
  });

  it("stays small, and loses no token: then days are told apart no longer, and new models not named", () => {
    const usage = new UsageByModel();
    for (let day = 0; day < 1_000; day++) usage.add({ model: "a", at: day * DAY_MS, usage: used(1) });
    for (let n = 0; n < 1_000; n++) usage.add({ model: `m${n}`, at: 0, usage: used(1) });
    for (let n = 0; n < 10; n++) usage.add({ model: `r${n}`, at: 0, usage: used(1), recordedUsd: 1 });
    const { groups } = usage;
    expect(groups.length).toBeLessThanOrEqual(34);
    expect(groups.reduce((sum, group) => sum + group.usage.inputTokens, 0)).toBe(2_010);
    expect(groups.filter(({ model }) => model === undefined)).toMatchObject([
      { calls: 1_000 },
      { calls: 10, recordedUsd: 10 },
    ]);
    expect(groups.filter(({ model }) => model === "a").at(-1)).toMatchObject({
      at: 999 * DAY_MS,
      calls: 969,
    });
  });
});

describe("The cost of models", () => {
  it("is what was recorded, else what a list says, and counts what has no price", () => {
    const usage = new UsageByModel();
    usage.add({ model: "listed", at: 5, usage: used(10, 1) });
    usage.add({ model: "listed", at: 5, usage: used(10, 1), recordedUsd: 7 });
    usage.add({ model: "other", at: 5, usage: used(100, 11) });
    usage.add({ model: undefined, at: 5, usage: used(1_000) });
    const rates = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };
    const cost = costOfModels(usage.groups, ({ model }) => (model === "listed" ? rates : undefined));
    expect(cost).toEqual({ usd: 19, recordedUsd: 7, unpricedCalls: 2, unpricedTokens: 1_111 });
  });
});
