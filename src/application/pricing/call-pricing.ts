import { isPause } from "../../domain/lists/is-pause.js";
import {
  costOfModels,
  isPriced,
  isRecorded,
  type ListedSession,
  type ModelUsage,
  type PricedUsage,
} from "../../domain/session/model-usage.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import {
  type CallColumns,
  type CallRates,
  callColumns,
  callRates,
  NO_CALLS_TO_PRICE,
} from "../../domain/usage/call-prices.js";
import type { TokenRates } from "../../domain/usage/money.js";
import { SourceUnavailableError } from "../errors.js";
import type { PriceTable } from "../ports/price-table.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { InProcessPool } from "../threads/in-process-pool.js";
import { runInSlices } from "../threads/slices.js";

/** Looks up prices in a thread if possible: loading the large table would block the host. */
export class CallPricing {
  readonly #prices: PriceTable | undefined;
  readonly #pool: ReadingPool;
  #lane: number | undefined;

  /**
   * @param prices default is an empty table: only recorded costs count
   * @param pool default is the host's own event loop, in slices
   */
  constructor(prices?: PriceTable, pool: ReadingPool = new InProcessPool()) {
    this.#prices = prices;
    this.#pool = pool;
  }

  get hasPrices(): boolean {
    return this.#prices?.source !== undefined;
  }

  prepare(): void {
    // A failure occurs again where the table is needed.
    if (this.#prices?.inThreads !== undefined) this.ratesOf(NO_CALLS_TO_PRICE, {}).catch(() => undefined);
  }

  async ratesOf(calls: CallColumns, { signal }: ReadOptions): Promise<CallRates> {
    const { inThreads } = this.#prices ?? {};
    if (inThreads === undefined) return await this.#ratesHere(calls, signal);
    this.#lane ??= this.#pool.quietLane?.() ?? 0;
    const { task, table } = inThreads;
    try {
      return await this.#pool.run(task, { calls, table }, { signal, lane: this.#lane });
    } catch (error) {
      // A host without threads waits for the table once.
      if (error instanceof SourceUnavailableError) return await this.#ratesHere(calls, signal);
      throw error;
    }
  }

  async #ratesHere(calls: CallColumns, signal: AbortSignal | undefined): Promise<CallRates> {
    const ratesOf = await this.#prices?.load();
    return await runInSlices(callRates(calls, ratesOf ?? (() => undefined)), signal);
  }
}

export class PricedSessions {
  readonly #pricing: CallPricing;
  readonly #rates = new WeakMap<PricedUsage, TokenRates | "none">();

  /** @param pricing default has no prices: only recorded costs count */
  constructor(pricing = new CallPricing()) {
    this.#pricing = pricing;
  }

  async of(
    sessions: readonly ListedSession[],
    options: ReadOptions,
  ): Promise<readonly InspectorSessionItem[]> {
    const priced = await this.withCosts(sessions, options);
    return await runInSlices(this.#items(priced), options.signal);
  }

  async withCosts(
    sessions: readonly ListedSession[],
    options: ReadOptions,
  ): Promise<readonly ListedSession[]> {
    if (this.#pricing.hasPrices) await this.#lookUp(sessions, options);
    return await runInSlices(this.#priced(sessions), options.signal);
  }

  async #lookUp(sessions: readonly ListedSession[], options: ReadOptions): Promise<void> {
    const unknown: PricedUsage[] = [];
    for (const { usageByModel = [] } of sessions) {
      for (const used of usageByModel) if (isPriced(used) && !this.#rates.has(used)) unknown.push(used);
    }
    if (unknown.length === 0) return;
    const { rates, rateOf } = await this.#pricing.ratesOf(callColumns(unknown), options);
    for (const [i, used] of unknown.entries()) this.#rates.set(used, rates[rateOf[i]!] ?? "none");
  }

  *#priced(sessions: readonly ListedSession[]): Generator<void, ListedSession[]> {
    const { hasPrices } = this.#pricing;
    const ratesOf = (used: PricedUsage) => {
      const rates = this.#rates.get(used);
      return rates === "none" ? undefined : rates;
    };
    const priced: ListedSession[] = [];
    for (const session of sessions) {
      const { usageByModel = [] } = session;
      const hasRates = usageByModel.length > 0 && (hasPrices || usageByModel.some(isRecorded));
      priced.push(hasRates ? { ...session, cost: costOfModels(usageByModel, ratesOf) } : session);
      if (isPause(priced.length)) yield;
    }
    return priced;
  }

  *#items(sessions: readonly ListedSession[]): Generator<void, InspectorSessionItem[]> {
    const items: InspectorSessionItem[] = [];
    for (const { usageByModel, facts: _, ...session } of sessions) {
      const models = usageByModel && modelsOf(usageByModel);
      items.push(models === undefined || models.length === 0 ? session : { ...session, models });
      if (isPause(items.length)) yield;
    }
    return items;
  }
}

function modelsOf(used: readonly ModelUsage[]): readonly string[] {
  return [...new Set(used.flatMap(({ model }) => model ?? []))];
}
