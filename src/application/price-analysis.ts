import { type CallColumns, type CallRates, callRates, NO_CALLS_TO_PRICE } from "../domain/call-prices.js";
import type { PriceTable } from "./ports/price-table.js";
import type { ReadingPool, RunOptions } from "./ports/reading-pool.js";
import { runInSlices } from "./slices.js";

/** Has a table of prices loaded that is needed later, where that costs the host nothing. */
export function preparePrices(prices: PriceTable | undefined, pool: ReadingPool, options: RunOptions): void {
  if (prices?.inThreads === undefined) return;
  const { task, table } = prices.inThreads;
  // A table that fails to load fails again where it is needed.
  pool.run(task, { calls: NO_CALLS_TO_PRICE, table }, options).catch(() => undefined);
}

/** What model calls cost, looked up where they were read if the table can be had there. */
export async function pricesOf(
  calls: CallColumns,
  prices: PriceTable | undefined,
  pool: ReadingPool,
  options: RunOptions,
): Promise<CallRates> {
  if (prices?.inThreads !== undefined) {
    const { task, table } = prices.inThreads;
    return await pool.run(task, { calls, table }, options);
  }
  const ratesOf = await prices?.load();
  return await runInSlices(callRates(calls, ratesOf ?? (() => undefined)), options.signal);
}
