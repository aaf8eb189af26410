import type { PriceTable } from "../../application/ports/price-table.js";
import { BUNDLED_PRICES } from "./bundled-prices.js";
import { type ModelPrices, ownPrices } from "./own-prices.js";
import { PRICE_CALLS } from "./price-calls.js";

/** A table in which no model has a price. */
export const NO_PRICES: PriceTable = {
  source: undefined,
  load: async () => () => undefined,
};

/** @throws TypeError for prices that are none */
export function priceTableOf(prices: ModelPrices | false | undefined): PriceTable {
  if (prices === false) return NO_PRICES;
  const table = prices === undefined ? BUNDLED_PRICES : ownPrices(prices, BUNDLED_PRICES);
  return { ...table, inThreads: { task: PRICE_CALLS, table: prices } };
}
