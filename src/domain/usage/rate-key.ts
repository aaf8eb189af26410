import { tierOf } from "./context-tiers.js";
import type { PricedCall } from "./money.js";

const DAY_MS = 86_400_000;

/** Calls with the same key have the same rates: one model, provider, day and context tier. */
export function rateKey({ model, provider = "", at, contextTokens }: PricedCall): string {
  return `${Math.floor(at / DAY_MS)} ${tierOf(contextTokens)} ${model.length} ${model} ${provider}`;
}
