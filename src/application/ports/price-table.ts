import type { CallColumns, CallRates } from "../../domain/usage/call-prices.js";
import type { RatesOf } from "../../domain/usage/money.js";
import type { ReadingTask } from "./reading-pool.js";

/** What models cost. It is loaded when something asks for the first price; no table asks a network for one. */
export interface PriceTable {
  /** Where its prices come from, for people; `undefined` of a table without any. */
  readonly source: string | undefined;

  /** The prices, to be looked up many thousand times. A second call gives the same. */
  load(): Promise<RatesOf>;

  /** The same prices in a thread. Without it calls are looked up on the host's event loop, in slices. */
  readonly inThreads?: PricingTask;
}

/** Looks up calls in a table that it loads itself. */
export interface PricingTask {
  readonly task: ReadingTask<PricingInput, CallRates>;
  /** What tells this table from others that the same task knows: plain data. */
  readonly table: unknown;
}

export interface PricingInput {
  readonly calls: CallColumns;
  readonly table: unknown;
}
