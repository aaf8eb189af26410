import type { PriceTable, PricingInput } from "../../application/ports/price-table.js";
import { ownModule, type ReadingTask } from "../../application/ports/reading-pool.js";
import { settled } from "../../application/threads/slices.js";
import { type CallRates, callRates } from "../../domain/usage/call-prices.js";
import { BUNDLED_PRICES } from "./bundled-prices.js";
import { type ModelPrices, ownPrices } from "./own-prices.js";

export const NO_PRICES: PriceTable = { source: undefined, load: async () => () => undefined };

/** @throws TypeError for invalid prices */
export function priceTableOf(prices: ModelPrices | false | undefined): PriceTable {
  if (prices === false) return NO_PRICES;
  const table = prices === undefined ? BUNDLED_PRICES : ownPrices(prices, BUNDLED_PRICES);
  // A copy, because the host may change its own; threads receive it with each request.
  return { ...table, inThreads: { task: PRICE_CALLS, table: structuredClone(prices) } };
}

/** Prices calls in the thread, because the bundled table is large and slow to load. The table is custom prices, or `undefined`. */
export const PRICE_CALLS: ReadingTask<PricingInput, CallRates> = {
  module: ownModule(import.meta.url, "price-table"),
  name: "priceCalls",
  steps: priceCalls,
};

export function* priceCalls({ calls, table }: PricingInput): Generator<unknown, CallRates> {
  const own = table as ModelPrices | undefined;
  const prices = own === undefined ? BUNDLED_PRICES : ownPrices(own, BUNDLED_PRICES);
  return yield* callRates(calls, yield* settled(prices.load()));
}
