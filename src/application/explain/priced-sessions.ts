import type { InspectorSessionItem } from "../../domain/session/session.js";
import { callColumns } from "../../domain/usage/call-prices.js";
import {
  costOfModels,
  isPriced,
  isRecorded,
  type ListedSession,
  type PricedUsage,
} from "../../domain/usage/model-usage.js";
import type { TokenRates } from "../../domain/usage/money.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { runInSlices } from "../threads/slices.js";
import { CallPricing } from "./call-pricing.js";

const ITEMS_PER_PAUSE = 256;

/** Says what listed sessions cost, as far as their source knows what they used. */
export class PricedSessions {
  readonly #pricing: CallPricing;
  /** Of what sources list again and again. */
  readonly #known = new WeakMap<PricedUsage, TokenRates | "none">();

  /** @param pricing default knows no prices: then sessions have the cost that was recorded, or none */
  constructor(pricing = new CallPricing()) {
    this.#pricing = pricing;
  }

  async of(
    sessions: readonly ListedSession[],
    options: ReadOptions,
  ): Promise<readonly InspectorSessionItem[]> {
    if (this.#pricing.hasPrices) await this.#lookUp(sessions, options);
    return await runInSlices(this.#priced(sessions), options.signal);
  }

  async #lookUp(sessions: readonly ListedSession[], options: ReadOptions): Promise<void> {
    const unknown: PricedUsage[] = [];
    for (const { usageByModel = [] } of sessions) {
      for (const used of usageByModel) if (isPriced(used) && !this.#known.has(used)) unknown.push(used);
    }
    if (unknown.length === 0) return;
    const { rates, rateOf } = await this.#pricing.ratesOf(callColumns(unknown), options);
    for (const [i, used] of unknown.entries()) this.#known.set(used, rates[rateOf[i]!] ?? "none");
  }

  *#priced(sessions: readonly ListedSession[]): Generator<void, InspectorSessionItem[]> {
    const { hasPrices } = this.#pricing;
    const ratesOf = (used: PricedUsage) => {
      const rates = this.#known.get(used);
      return rates === "none" ? undefined : rates;
    };
    const priced: InspectorSessionItem[] = [];
    for (const { usageByModel = [], ...session } of sessions) {
      const isKnown = usageByModel.length > 0 && (hasPrices || usageByModel.some(isRecorded));
      priced.push(isKnown ? { ...session, cost: costOfModels(usageByModel, ratesOf) } : session);
      if (priced.length % ITEMS_PER_PAUSE === 0) yield;
    }
    return priced;
  }
}
