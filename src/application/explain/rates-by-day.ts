import { rateKeyOf } from "../../domain/overview/usage-rows.js";
import { callColumns } from "../../domain/usage/call-prices.js";
import type { PricedCall, RatesOf, TokenRates } from "../../domain/usage/money.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { runInSlices } from "../threads/slices.js";
import { CallPricing } from "./call-pricing.js";

/** How many rates are kept; when there are more, all are looked up again. */
const MOST_RATES = 50_000;

/** What models cost a token, by day: of many calls few differ in it. */
export class RatesByDay {
  readonly #pricing: CallPricing;
  readonly #known = new Map<string, TokenRates | undefined>();

  /** @param pricing default is that nobody knows */
  constructor(pricing = new CallPricing()) {
    this.#pricing = pricing;
  }

  /**
   * Looks up what is not known yet.
   *
   * @returns the rates of these calls, and of all that cost like one of them
   */
  async of(calls: () => Iterable<PricedCall>, options: ReadOptions): Promise<RatesOf> {
    if (this.#pricing.hasPrices) {
      if (this.#known.size > MOST_RATES) this.#known.clear();
      const unknown = await runInSlices(this.#unknown(calls()), options.signal);
      if (unknown.size > 0) {
        const { rates, rateOf } = await this.#pricing.ratesOf(callColumns([...unknown.values()]), options);
        for (const [i, key] of [...unknown.keys()].entries()) this.#known.set(key, rates[rateOf[i]!]);
      }
    }
    return (call) => this.#known.get(rateKeyOf(call));
  }

  *#unknown(calls: Iterable<PricedCall>): Generator<void, Map<string, PricedCall>> {
    const unknown = new Map<string, PricedCall>();
    for (const call of calls) {
      const key = rateKeyOf(call);
      if (!this.#known.has(key)) unknown.set(key, call);
      yield;
    }
    return unknown;
  }
}
