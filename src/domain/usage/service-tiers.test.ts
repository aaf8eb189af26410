import { expect, it } from "vitest";
import { tieredModel, withTiers } from "./service-tiers.js";

const rates = {
  input: 1,
  output: 5,
  cacheRead: 0.1,
  cacheWrite: 1.25,
  cacheWrite1h: 2,
  contextWindow: 200_000,
};
const call = (model: string) => ({ model, at: 0, contextTokens: 10 });
const ratesOf = withTiers(({ model }) => (model === "strange" ? undefined : rates));

it("names a tier that changes the price, and no other", () => {
  expect(tieredModel("claude-opus-4-8", "fast")).toBe("claude-opus-4-8 (fast)");
  for (const tier of ["standard", "default", undefined, null, 3, "fast "])
    expect(tieredModel("claude-opus-4-8", tier)).toBe("claude-opus-4-8");
  expect(tieredModel(undefined, "fast")).toBeUndefined();
});

it.each([
  ["claude-opus-4-6 (fast)", 6],
  ["us.anthropic.claude-opus-4-8-v1 (fast)", 2],
  ["claude-opus-5 (fast)", 2],
  ["gpt-5.5 (priority)", 2.5],
  ["openai/gpt-5.4 (priority)", 2],
  ["gpt-5-mini (priority)", 1.8],
  ["claude-sonnet-4-6 (batch)", 0.5],
  ["gpt-5.5 (flex)", 0.5],
])("%s costs %d times the standard price", (model, factor) => {
  expect(ratesOf(call(model))).toMatchObject({ input: factor, output: 5 * factor, contextWindow: 200_000 });
});

it("has no price for a tier without a multiple, or for a model without a price", () => {
  for (const model of ["claude-opus-5-5 (fast)", "gpt-6 (priority)", "claude-opus-4-8 (priority)", "strange"])
    expect(ratesOf(call(model))).toBeUndefined();
  expect(ratesOf(call("claude-opus-4-8"))).toBe(rates);
});
