import type { RatesOf, TokenRates } from "./money.js";

const DEAR_OR_CHEAP = /^(fast|priority|flex|batch)$/;

/**
 * The name of a model with the tier of its calls, because their prices differ.
 * @example
 * tieredModel("claude-opus-4-8", "fast") // "claude-opus-4-8 (fast)"
 * tieredModel("claude-opus-4-8", "standard") // "claude-opus-4-8"
 */
export function tieredModel(model: string | undefined, tier: unknown): string | undefined {
  return model !== undefined && typeof tier === "string" && DEAR_OR_CHEAP.test(tier)
    ? `${model} (${tier})`
    : model;
}

/**
 * Price of a tier, as a multiple of the standard price. Sources: https://platform.claude.com/docs/en/build-with-claude/fast-mode,
 * https://openai.com/api-priority-processing/, and the vendors' pages about batches.
 */
const FACTORS: readonly { readonly tier: string; readonly models: RegExp; readonly factor: number }[] = [
  { tier: "fast", models: /\bclaude-opus-4[.-][67]\b/, factor: 6 },
  { tier: "fast", models: /\bclaude-opus-(4[.-]8|5(?![.-]\d))/, factor: 2 },
  { tier: "priority", models: /\bgpt-5\.5\b/, factor: 2.5 },
  { tier: "priority", models: /\bgpt-5-mini\b/, factor: 1.8 },
  { tier: "priority", models: /\bgpt-5(\.[124])?\b/, factor: 2 },
  { tier: "priority", models: /\b(gpt-4\.1|o3)\b/, factor: 1.75 },
  { tier: "batch", models: /\b(claude|gpt|o\d)\b/, factor: 0.5 },
  { tier: "flex", models: /\b(gpt-5|o3|o4-mini)\b/, factor: 0.5 },
];

const TIERED = /^(.+) \((fast|priority|flex|batch)\)$/;

/** Rates of tiers by a multiple of those of the model. `undefined` for a tier without one: its calls have no price. */
export function withTiers(ratesOf: RatesOf): RatesOf {
  return (call) => {
    const [, model, tier] = TIERED.exec(call.model) ?? [];
    if (model === undefined) return ratesOf(call);
    const row = FACTORS.find((one) => one.tier === tier && one.models.test(model));
    const rates = row && ratesOf({ ...call, model });
    return rates && timesRates(rates, row.factor);
  };
}

function timesRates(rates: TokenRates, factor: number): TokenRates {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h } = rates;
  return {
    ...rates,
    input: input * factor,
    output: output * factor,
    cacheRead: cacheRead * factor,
    cacheWrite: cacheWrite * factor,
    cacheWrite1h: cacheWrite1h * factor,
  };
}
