import type { ModelCall } from "../steps/session-steps.js";
import { type Cost, costOfUsage, NO_COST, type TokenRates } from "../usage/money.js";
import { contextTokens, estimateTokens } from "../usage/token-counts.js";
import { NO_USAGE, type TokenUsage, totalTokens } from "../usage/token-usage.js";
import { UsageTally } from "../usage/usage-tally.js";

export interface CallTotals {
  readonly calls: number;
  readonly uncountedCalls: number;
  readonly usage: TokenUsage;
  readonly cost: Cost;
  /** Calls whose counts are too small: see `isPlaceholder`. */
  readonly placeholderCalls: number;
  readonly ms: number;
}

export const NO_CALLS: CallTotals = {
  calls: 0,
  uncountedCalls: 0,
  usage: NO_USAGE,
  cost: NO_COST,
  placeholderCalls: 0,
  ms: 0,
};

export function areUncounted({ calls, uncountedCalls, cost }: CallTotals): boolean {
  return uncountedCalls === calls && cost.usd === 0;
}

export class CallSum {
  readonly #tally = new UsageTally();
  #calls = 0;
  #uncountedCalls = 0;
  #placeholderCalls = 0;
  #ms = 0;

  /** @param cost from `costOfCall` */
  add(call: ModelCall, cost: Cost): void {
    this.#calls++;
    this.#ms += call.endAt - call.at;
    if (isPlaceholder(call)) this.#placeholderCalls++;
    if (call.usage === undefined) this.#uncountedCalls++;
    else this.#tally.addUsage(call.usage);
    this.#tally.addCost(cost);
  }

  result(): CallTotals {
    return {
      calls: this.#calls,
      uncountedCalls: this.#uncountedCalls,
      usage: this.#tally.usage,
      cost: this.#tally.cost,
      placeholderCalls: this.#placeholderCalls,
      ms: this.#ms,
    };
  }
}

/** A recorded cost overrides the price table. A call without counted tokens has no cost, and is not part of any price. */
export function costOfCall(
  call: Pick<ModelCall, "usage" | "recordedUsd" | "answerSize">,
  rates: TokenRates | undefined,
): Cost {
  const { usage, recordedUsd } = call;
  if (recordedUsd !== undefined) return { ...NO_COST, usd: recordedUsd, recordedUsd };
  if (usage === undefined) return NO_COST;
  if (rates !== undefined) {
    const usd = costOfUsage(usage, rates);
    return { ...NO_COST, usd, ...(isPlaceholder(call) ? { placeholderCalls: 1 } : {}) };
  }
  return { ...NO_COST, unpricedCalls: 1, unpricedTokens: totalTokens(usage) };
}

/** Streams begin with counts up to this. */
const MOST_PLACEHOLDER = 25;
const TIMES_LONGER = 4;

export function mayBePlaceholder(outputTokens: number): boolean {
  return outputTokens <= MOST_PLACEHOLDER;
}

/** True if the counts are too small: no input, or a placeholder from the start of a stream in place of the output. */
export function isPlaceholder({ usage, answerSize }: Pick<ModelCall, "usage" | "answerSize">): boolean {
  if (usage === undefined) return false;
  if (contextTokens(usage) === 0) return usage.outputTokens > 0;
  return (
    mayBePlaceholder(usage.outputTokens) &&
    estimateTokens(answerSize) > TIMES_LONGER * Math.max(usage.outputTokens, MOST_PLACEHOLDER)
  );
}
