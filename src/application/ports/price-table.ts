import type { CallColumns, CallRates } from "../../domain/usage/call-prices.js";
import type { RatesOf } from "../../domain/usage/money.js";
import type { ReadingTask } from "./reading-pool.js";

/** Prices of models. It is loaded at the first request for a price, and never from a network. */
export interface PriceTable {
  /** Origin of its prices, for people; `undefined` for an empty table. */
  readonly source: string | undefined;

  /** For many thousand look-ups. A second call returns the same. */
  load(): Promise<RatesOf>;

  /** The same prices in a thread. Without it calls are looked up on the host's event loop, in slices. */
  readonly inThreads?: PricingTask;
}

export interface PricingTask {
  readonly task: ReadingTask<PricingInput, CallRates>;
  /** Distinguishes this table from others of the same task: plain data. */
  readonly table: unknown;
}

export interface PricingInput {
  readonly calls: CallColumns;
  readonly table: unknown;
}
