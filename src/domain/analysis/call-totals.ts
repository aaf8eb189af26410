import { contextTokens, estimateTokens } from "../conversation/token-counts.js";
import { addCost, type Cost, costOfUsage, NO_COST, type TokenRates } from "../money.js";
import { addUsage, NO_USAGE, type TokenUsage, totalTokens } from "../session.js";
import type { ModelCall } from "./session-steps.js";

/** What some model calls read, wrote and cost. */
export interface CallTotals {
  readonly calls: number;
  /** Those of them of which no tokens are recorded. */
  readonly uncountedCalls: number;
  readonly usage: TokenUsage;
  readonly cost: Cost;
  /** Calls whose output is far longer than its count, which a stream began with: more was written than `usage` says. */
  readonly placeholderCalls: number;
  /** From the beginning to the end of each, added up: calls at the same time count each. */
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

/** Adds one call to a sum. */
export function addCall(sum: CallTotals, call: ModelCall, rates: TokenRates | undefined): CallTotals {
  const { usage } = call;
  return {
    calls: sum.calls + 1,
    uncountedCalls: sum.uncountedCalls + (usage === undefined ? 1 : 0),
    usage: usage === undefined ? sum.usage : addUsage(sum.usage, usage),
    cost: addCost(sum.cost, costOfCall(call, rates)),
    placeholderCalls: sum.placeholderCalls + (isPlaceholder(call) ? 1 : 0),
    ms: sum.ms + call.endAt - call.at,
  };
}

/** What is recorded goes before what a table says. A call whose tokens nobody counted costs nothing that is known, and is no part of any price. */
export function costOfCall({ usage, recordedUsd }: ModelCall, rates: TokenRates | undefined): Cost {
  if (recordedUsd !== undefined) return { ...NO_COST, usd: recordedUsd, recordedUsd };
  if (usage === undefined) return NO_COST;
  if (rates !== undefined) return { ...NO_COST, usd: costOfUsage(usage, rates) };
  return { ...NO_COST, unpricedCalls: 1, unpricedTokens: totalTokens(usage) };
}

/** Counts of so few tokens are what a stream begins with. */
const MOST_PLACEHOLDER = 25;
/** What the answer must at least be longer than its count, by estimate. */
const TIMES_LONGER = 4;

/** Whether the count of a call's output is what its stream began with, and not what it wrote. */
export function isPlaceholder({ usage, answerSize }: ModelCall): boolean {
  if (usage === undefined || usage.outputTokens > MOST_PLACEHOLDER) return false;
  return (
    contextTokens(usage) > 0 &&
    estimateTokens(answerSize) > TIMES_LONGER * Math.max(usage.outputTokens, MOST_PLACEHOLDER)
  );
}
