import { instantOf } from "../../domain/trace/instant.js";
import { callColumns } from "../../domain/usage/call-prices.js";
import type { TokenRates } from "../../domain/usage/money.js";
import { InvalidRequestError } from "../errors.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { CallPricing } from "../pricing/call-pricing.js";

export interface ModelRequest {
  readonly model: string;
  /** Who served it, as recorded. Default is the vendor whose model it is. */
  readonly provider?: string | undefined;
  /** The instant of the call, in ISO 8601: prices change. Default is now. */
  readonly at?: string | undefined;
  /** Tokens that the call read: some vendors charge more for long contexts. Default is 0. */
  readonly contextTokens?: number | undefined;
}

export interface ModelDescription {
  readonly model: string;
  /** US dollars per token of each class. Absent for a model without a price. */
  readonly rates?: TokenRates;
}

export class DescribeModel {
  readonly #pricing: CallPricing;
  readonly #now: () => number;

  /**
   * @param pricing default knows no prices
   * @param now milliseconds since the epoch. Default is the clock of the machine
   */
  constructor(pricing = new CallPricing(), now: () => number = Date.now) {
    this.#pricing = pricing;
    this.#now = now;
  }

  /** @throws InvalidRequestError for an `at` that is not an instant */
  async execute(request: ModelRequest, options: ReadOptions = {}): Promise<ModelDescription> {
    const { model, provider, contextTokens = 0 } = request;
    const at = request.at === undefined ? this.#now() : instantOf(request.at);
    if (at === undefined) throw new InvalidRequestError("at", "must be an instant in ISO 8601.");
    const { rates, rateOf } = await this.#pricing.ratesOf(
      callColumns([{ model, provider, at, contextTokens }]),
      options,
    );
    const callRates = rates[rateOf[0]!];
    return { model, ...(callRates === undefined ? {} : { rates: callRates }) };
  }
}
