import { addCost, type Cost, NO_COST } from "./money.js";
import { type TokenUsage, totalTokens, usageOf } from "./token-usage.js";

/** Adds up tokens and money. Mutable, because there are many calls, and each is part of several sums. */
export class UsageTally {
  readonly #usage = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite1hTokens: 0,
  };
  readonly #cost = { usd: 0, recordedUsd: 0, unpricedCalls: 0, unpricedTokens: 0, placeholderCalls: 0 };

  /** Within the range of counts, like `cost`. */
  get usage(): TokenUsage {
    return usageOf(this.#usage);
  }

  get cost(): Cost {
    return addCost(NO_COST, this.#cost);
  }

  get usd(): number {
    return this.#cost.usd;
  }

  get tokens(): number {
    return totalTokens(this.#usage);
  }

  addUsage(usage: TokenUsage): void {
    const sum = this.#usage;
    sum.inputTokens += usage.inputTokens;
    sum.outputTokens += usage.outputTokens;
    sum.cacheReadTokens += usage.cacheReadTokens;
    sum.cacheWriteTokens += usage.cacheWriteTokens;
    sum.cacheWrite1hTokens += usage.cacheWrite1hTokens ?? 0;
  }

  addCost(cost: Cost): void {
    const sum = this.#cost;
    sum.usd += cost.usd;
    sum.recordedUsd += cost.recordedUsd;
    sum.unpricedCalls += cost.unpricedCalls;
    sum.unpricedTokens += cost.unpricedTokens;
    sum.placeholderCalls += cost.placeholderCalls ?? 0;
  }

  addTally(other: UsageTally): void {
    this.addUsage(other.#usage);
    this.addCost(other.#cost);
  }
}
