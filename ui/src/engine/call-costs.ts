import { isJsonObject } from "../../../src/domain/json/json.js";
import type { Span } from "../../../src/domain/spans/span.js";
import { addCost, type Cost, type PricedCall, type TokenRates } from "../../../src/domain/usage/money.js";
import { rateKey } from "../../../src/domain/usage/rate-key.js";
import { ApiError } from "../api/api-problem.js";
import { request } from "../api/request.js";
import { pricedCallOf, spanCosts } from "../model/span-costs.js";
import type { TraceModel } from "../model/trace-model.js";

/** How many rates are asked for at most: models and days are few, unless a history makes them up. */
const MOST_ASKED = 500;

/** How many requests go on at a time. */
const AT_A_TIME = 4;

/**
 * What the steps of the session that is open cost. Rates are asked of the API, once for each model and day, as the sums of the service
 * take them. As long as some are not known the costs are those of before: none of them changes afterwards.
 */
export class CallCosts {
  readonly #base: string;
  readonly #signal: AbortSignal;
  readonly #onChange: () => void;
  /** `"none"` of a model without a price. */
  readonly #known = new Map<string, TokenRates | "none">();
  /** By the ids of spans: a trace that grows makes new ones. */
  #costs: ReadonlyMap<string, Cost> = new Map();
  #total: Cost | undefined;
  #model: TraceModel | undefined;
  #asking = false;

  /** @param onChange called when costs are known that were not when the trace came */
  constructor(base: string, signal: AbortSignal, onChange: () => void) {
    this.#base = base;
    this.#signal = signal;
    this.#onChange = onChange;
  }

  /** What a span cost with what is in it; `undefined` where nothing in it is a model call, or where that is not known yet. */
  of(span: Span): Cost | undefined {
    return this.#costs.get(span.id);
  }

  /** Of the whole trace. */
  get total(): Cost | undefined {
    return this.#total;
  }

  /** How many tokens the context of a model call may hold, where that is known. */
  contextWindowOf(span: Span): number | undefined {
    const call = pricedCallOf(span);
    const rates = call && this.#known.get(rateKey(call));
    return rates === "none" ? undefined : rates?.contextWindow;
  }

  update(model: TraceModel): void {
    this.#model = model;
    if (this.#unknown(model).size === 0) this.#add(model);
    else void this.#ask();
  }

  #add(model: TraceModel): void {
    const sums = spanCosts(model.roots, (call) => {
      const rates = this.#known.get(rateKey(call));
      return rates === "none" ? undefined : rates;
    });
    this.#costs = new Map(Array.from(sums, ([span, cost]) => [span.id, cost]));
    this.#total = model.roots.reduce<Cost | undefined>((sum, root) => {
      const cost = sums.get(root);
      return cost === undefined ? sum : sum === undefined ? cost : addCost(sum, cost);
    }, undefined);
  }

  /** The calls whose rates nobody was asked for yet, one of each kind. */
  #unknown({ spans }: TraceModel): Map<string, PricedCall> {
    const unknown = new Map<string, PricedCall>();
    for (const span of spans.values()) {
      const call = pricedCallOf(span);
      if (call === undefined) continue;
      const key = rateKey(call);
      if (this.#known.has(key)) continue;
      if (this.#known.size + unknown.size >= MOST_ASKED) this.#known.set(key, "none");
      else unknown.set(key, call);
    }
    return unknown;
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      for (let model = this.#model; model !== undefined; ) {
        const left = [...this.#unknown(model)];
        const next = async (): Promise<void> => {
          for (let one = left.pop(); one !== undefined; one = left.pop()) {
            this.#known.set(one[0], await this.#ratesOf(one[1]));
          }
        };
        await Promise.all(Array.from({ length: AT_A_TIME }, next));
        // The trace may have grown meanwhile.
        if (model === this.#model) break;
        model = this.#model;
      }
      if (this.#model === undefined) return;
      this.#add(this.#model);
      this.#onChange();
    } catch (error) {
      // The costs stay as they were, and are asked for again with the next trace.
      if (!(error instanceof ApiError) && !this.#signal.aborted) throw error;
    } finally {
      this.#asking = false;
    }
  }

  async #ratesOf({ model, provider, at, contextTokens }: PricedCall): Promise<TokenRates | "none"> {
    const query = { model, provider, at: new Date(at).toISOString(), contextTokens };
    try {
      const response = await request(this.#base, "/model", query, { signal: this.#signal });
      const answer: unknown = await response.json();
      const rates = isJsonObject(answer) && isJsonObject(answer.rates) ? answer.rates : undefined;
      return rates !== undefined && isRates(rates) ? rates : "none";
    } catch (error) {
      // A name, an instant or an older service that has no answer: no price is known.
      if (error instanceof ApiError && error.problem.kind !== "unreachable") return "none";
      throw error;
    }
  }
}

const CLASSES = ["input", "output", "cacheRead", "cacheWrite", "cacheWrite1h"];

function isRates(rates: object): rates is TokenRates {
  const values: Readonly<Record<string, unknown>> = { ...rates };
  return CLASSES.every((name) => typeof values[name] === "number");
}
