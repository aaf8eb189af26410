import type { PriceTable, PricingInput } from "../../application/ports/price-table.js";
import { ownModule, type ReadingTask } from "../../application/ports/reading-pool.js";
import { settled } from "../../application/threads/slices.js";
import { type CallRates, callRates } from "../../domain/usage/call-prices.js";
import { BUNDLED_PRICES } from "./bundled-prices.js";
import { type ModelPrices, ownPrices } from "./own-prices.js";

/** A table in which no model has a price. */
export const NO_PRICES: PriceTable = { source: undefined, load: async () => () => undefined };

/** @throws TypeError for invalid prices */
export function priceTableOf(prices: ModelPrices | false | undefined): PriceTable {
  if (prices === false) return NO_PRICES;
  const table = prices === undefined ? BUNDLED_PRICES : ownPrices(prices, BUNDLED_PRICES);
  // Threads receive the prices with each question. A copy stays the same, whatever the host does to its own.
  return { ...table, inThreads: { task: PRICE_CALLS, table: structuredClone(prices) } };
}

/** Prices calls where they were read: the bundled table is large, and takes a host long to load. Its table are own prices, or `undefined`. */
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
