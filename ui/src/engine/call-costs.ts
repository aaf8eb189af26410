import { isJsonObject } from "../../../src/domain/json/json.js";
import type { Span } from "../../../src/domain/spans/span.js";
import { addCost, type Cost, type PricedCall, type TokenRates } from "../../../src/domain/usage/money.js";
import { rateKey } from "../../../src/domain/usage/rate-key.js";
import { ApiError } from "../api/api-problem.js";
import { request } from "../api/request.js";
import { pricedCallOf, spanCosts } from "../model/span-costs.js";
import type { TraceModel } from "../model/trace-model.js";

/** Maximum number of requested rates: models and days are few, unless a history invents them. */
const MOST_ASKED = 500;

/** Maximum number of requests at a time. */
const AT_A_TIME = 4;

/**
 * Costs of the open session's steps. Rates come from the API, once for each model and day, as in the sums of the service. While some
 * rates are missing, the previous costs stay. No cost changes afterwards.
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

  /** @param onChange called when costs arrive that were not available with the trace */
  constructor(base: string, signal: AbortSignal, onChange: () => void) {
    this.#base = base;
    this.#signal = signal;
    this.#onChange = onChange;
  }

  /** Returns the cost of a span with its descendants; `undefined` if they contain no model call, or if the cost is not available yet. */
  of(span: Span): Cost | undefined {
    return this.#costs.get(span.id);
  }

  /** Cost of the entire trace. */
  get total(): Cost | undefined {
    return this.#total;
  }

  /** Returns the maximum number of tokens in the context of a model call, if it is available. */
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

  /** Returns the calls whose rates were not requested yet, one per model and day. */
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
      // The costs stay unchanged, and are requested again with the next trace.
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
      // The service has no answer for this name or instant, or is older: no price is available.
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
