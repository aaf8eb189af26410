import { BUNDLED_PRICES } from "../adapters/prices/bundled-prices.js";
import { NO_PRICES } from "../adapters/prices/no-prices.js";
import { type ModelPrices, ownPrices } from "../adapters/prices/own-prices.js";
import { PRICE_CALLS } from "../adapters/prices/price-calls.js";
import type { PriceTable } from "../application/ports/price-table.js";

/** @throws TypeError for prices that are none */
export function priceTableOf(prices: ModelPrices | false | undefined): PriceTable {
  if (prices === false) return NO_PRICES;
  const table = prices === undefined ? BUNDLED_PRICES : ownPrices(prices, BUNDLED_PRICES);
  return { ...table, inThreads: { task: PRICE_CALLS, table: prices } };
}
