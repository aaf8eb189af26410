import { isJsonObject } from "../../../../src/domain/json/json.js";
import type { Span } from "../../../../src/domain/spans/span.js";
import { addCost, type Cost, type PricedCall, type TokenRates } from "../../../../src/domain/usage/money.js";
import { rateKey } from "../../../../src/domain/usage/rate-key.js";
import { ApiError } from "../../api/api-problem.js";
import { request } from "../../api/request.js";
import { pricedCallOf, spanCosts } from "../../model/trace/span-costs.js";
import type { TraceModel } from "../../model/trace/trace-model.js";

/** Models and days are few, unless a history invents them. */
const MAX_REQUESTED = 500;

const AT_A_TIME = 4;

/**
 * Requests rates once per model and day, as in the sums of the service. Costs stay while rates are missing, and do not change afterwards.
 */
export class CallCosts {
  readonly #base: string;
  readonly #signal: AbortSignal;
  readonly #onChange: () => void;
  /** `"none"`: the model has no price. */
  readonly #rates = new Map<string, TokenRates | "none">();
  /** By span id, because a growing trace makes new spans. */
  #costs: ReadonlyMap<string, Cost> = new Map();
  #total: Cost | undefined;
  #model: TraceModel | undefined;
  #asking = false;

  /** @param onChange called when costs arrive later than the trace */
  constructor(base: string, signal: AbortSignal, onChange: () => void) {
    this.#base = base;
    this.#signal = signal;
    this.#onChange = onChange;
  }

  /** Includes descendants; `undefined` without a model call, or until the cost is available. */
  of(span: Span): Cost | undefined {
    return this.#costs.get(span.id);
  }

  get total(): Cost | undefined {
    return this.#total;
  }

  contextWindowOf(span: Span): number | undefined {
    const call = pricedCallOf(span);
    const rates = call && this.#rates.get(rateKey(call));
    return rates === "none" ? undefined : rates?.contextWindow;
  }

  update(model: TraceModel): void {
    this.#model = model;
    if (this.#unknown(model).size === 0) this.#add(model);
    else void this.#ask();
  }

  #add(model: TraceModel): void {
    const sums = spanCosts(model.roots, (call) => {
      const rates = this.#rates.get(rateKey(call));
      return rates === "none" ? undefined : rates;
    });
    this.#costs = new Map(Array.from(sums, ([span, cost]) => [span.id, cost]));
    this.#total = model.roots.reduce<Cost | undefined>((sum, root) => {
      const cost = sums.get(root);
      return cost === undefined ? sum : sum === undefined ? cost : addCost(sum, cost);
    }, undefined);
  }

  #unknown({ spans }: TraceModel): Map<string, PricedCall> {
    const unknown = new Map<string, PricedCall>();
    for (const span of spans.values()) {
      const call = pricedCallOf(span);
      if (call === undefined) continue;
      const key = rateKey(call);
      if (this.#rates.has(key)) continue;
      if (this.#rates.size + unknown.size >= MAX_REQUESTED) this.#rates.set(key, "none");
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
            this.#rates.set(one[0], await this.#ratesOf(one[1]));
          }
        };
        await Promise.all(Array.from({ length: AT_A_TIME }, next));
        if (model === this.#model) break;
        model = this.#model;
      }
      if (this.#model === undefined) return;
      this.#add(this.#model);
      this.#onChange();
    } catch (error) {
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
      // The service has no answer for this name or instant, or is older.
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
