import { describe, expect, it } from "vitest";
import { readUsage, recordedCostOf } from "./recorded-usage.js";

describe("A recorded cost", () => {
  it.each([
    [{ costUSD: 0.5 }, 0.5],
    [{ usage: { cost: 0.5 } }, 0.5],
    [{ usage: { cost: { input: 0.1, total: 0.5 } } }, 0.5],
    [{ cost: 0.5 }, 0.5],
    [{ cost: { total: 0.5 } }, 0.5],
    [{ attributes: { "gen_ai.usage.cost": 0.5 } }, 0.5],
    [{ attributes: { "llm.cost.total": 0 } }, 0],
    [{ costUSD: null, usage: { cost: 2 } }, 2],
    [{ costUSD: -1 }, undefined],
    [{ cost: "0.5" }, undefined],
    [{ usage: 3, attributes: [] }, undefined],
  ])("of %j is %j", (event, cost) => {
    expect(recordedCostOf(event)).toBe(cost);
  });
});

describe("Recorded usage", () => {
  it("keeps what was written to a cache for an hour, which is a part of what was written", () => {
    const usage = { cache_creation_input_tokens: 9, cache_creation: { ephemeral_1h_input_tokens: 4 } };
    expect(readUsage({ usage })).toMatchObject({ cacheWriteTokens: 9, cacheWrite1hTokens: 4 });
    expect(readUsage({ usage: { cacheWriteTokens: 3, cacheWrite1hTokens: 5 } })).toMatchObject({
      cacheWrite1hTokens: 3,
    });
    expect(readUsage({ usage: { cacheWriteTokens: 3 } })).not.toHaveProperty("cacheWrite1hTokens");
  });
});
