import { DAY_MS } from "../../domain/overview/overview-scope.js";
import { pricedCallsOf } from "../../domain/overview/priced-calls.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { callColumns } from "../../domain/usage/call-prices.js";
import { tierOf } from "../../domain/usage/context-tiers.js";
import type { PricedCall, RatesOf, TokenRates } from "../../domain/usage/money.js";
import { rateKey } from "../../domain/usage/rate-key.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { runInSlices } from "../threads/slices.js";
import { CallPricing } from "./call-pricing.js";

const MOST_RATES = 50_000;

export class RatesByDay {
  readonly #pricing: CallPricing;
  readonly #rates = new Map<string, TokenRates | undefined>();
  #looked = new WeakSet<object>();

  constructor(pricing = new CallPricing()) {
    this.#pricing = pricing;
  }

  /**
   * Looks up missing rates.
   * @returns the rates of the sessions' calls, and of all calls with the same price
   */
  async of(sessions: readonly ListedSession[], options: ReadOptions): Promise<RatesOf> {
    if (this.#pricing.hasPrices) await this.#lookUp(sessions, options);
    return this.#ratesOf();
  }

  #ratesOf(): RatesOf {
    let last: (PricedCall & { readonly day: number; readonly tier: number }) | undefined;
    let rates: TokenRates | undefined;
    return (call) => {
      const [day, tier] = [Math.floor(call.at / DAY_MS), tierOf(call.contextTokens)];
      const isLikeLast =
        last?.day === day &&
        last.tier === tier &&
        last.model === call.model &&
        last.provider === call.provider;
      if (!isLikeLast) {
        last = { ...call, day, tier };
        rates = this.#rates.get(rateKey(call));
      }
      return rates;
    };
  }

  async #lookUp(sessions: readonly ListedSession[], options: ReadOptions): Promise<void> {
    if (this.#rates.size > MOST_RATES) {
      this.#rates.clear();
      this.#looked = new WeakSet();
    }
    const unlooked = sessions.filter((one) => !this.#looked.has(usedBy(one)));
    const unknown = await runInSlices(this.#unknown(unlooked), options.signal);
    if (unknown.size > 0) {
      const { rates, rateOf } = await this.#pricing.ratesOf(callColumns([...unknown.values()]), options);
      for (const [i, key] of [...unknown.keys()].entries()) this.#rates.set(key, rates[rateOf[i]!]);
    }
    for (const one of unlooked) this.#looked.add(usedBy(one));
  }

  *#unknown(sessions: readonly ListedSession[]): Generator<void, Map<string, PricedCall>> {
    const unknown = new Map<string, PricedCall>();
    for (const session of sessions) {
      for (const call of pricedCallsOf(session)) {
        const key = rateKey(call);
        if (!this.#rates.has(key)) unknown.set(key, call);
      }
      yield;
    }
    return unknown;
  }
}

function usedBy(session: ListedSession): object {
  return session.facts ?? session.usageByModel ?? session;
}
