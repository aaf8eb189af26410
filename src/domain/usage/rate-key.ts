import { tierOf } from "./context-tiers.js";
import type { PricedCall } from "./money.js";

const DAY_MS = 86_400_000;

/** The same for calls whose rates are looked up once: calls of one model by one provider, on one day, with contexts of one tier. */
export function rateKey({ model, provider = "", at, contextTokens }: PricedCall): string {
  return `${Math.floor(at / DAY_MS)} ${tierOf(contextTokens)} ${model.length} ${model} ${provider}`;
}
