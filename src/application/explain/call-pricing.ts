import {
  type CallColumns,
  type CallRates,
  callRates,
  NO_CALLS_TO_PRICE,
} from "../../domain/usage/call-prices.js";
import { SourceUnavailableError } from "../errors.js";
import type { PriceTable } from "../ports/price-table.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { InProcessPool } from "../threads/in-process-pool.js";
import { runInSlices } from "../threads/slices.js";

/**
 * What model calls cost, looked up in one thread of a pool where the table can be had there: it is large, and a host that loads it
 * stands still meanwhile.
 */
export class CallPricing {
  readonly #prices: PriceTable | undefined;
  readonly #pool: ReadingPool;
  #lane: number | undefined;

  /**
   * @param prices default is none: then nothing has a price but what is recorded
   * @param pool default is the host's own event loop, in slices
   */
  constructor(prices?: PriceTable, pool: ReadingPool = new InProcessPool()) {
    this.#prices = prices;
    this.#pool = pool;
  }

  /** Whether anything can have a price but what is recorded. */
  get hasPrices(): boolean {
    return this.#prices?.source !== undefined;
  }

  /** Has the table loaded, which is needed later. */
  prepare(): void {
    // A table that fails to load fails again where it is needed.
    if (this.#prices?.inThreads !== undefined) this.ratesOf(NO_CALLS_TO_PRICE, {}).catch(() => undefined);
  }

  /** The rates of calls, in their order. */
  async ratesOf(calls: CallColumns, { signal }: ReadOptions): Promise<CallRates> {
    const { inThreads } = this.#prices ?? {};
    if (inThreads === undefined) return await this.#ratesHere(calls, signal);
    this.#lane ??= this.#pool.quietLane?.() ?? 0;
    const { task, table } = inThreads;
    try {
      return await this.#pool.run(task, { calls, table }, { signal, lane: this.#lane });
    } catch (error) {
      // A host that can have no threads waits for the table, once, rather than do without its list.
      if (error instanceof SourceUnavailableError) return await this.#ratesHere(calls, signal);
      throw error;
    }
  }

  async #ratesHere(calls: CallColumns, signal: AbortSignal | undefined): Promise<CallRates> {
    const ratesOf = await this.#prices?.load();
    return await runInSlices(callRates(calls, ratesOf ?? (() => undefined)), signal);
  }
}
