import type { ReadOptions } from "../../../application/ports/record-stream.js";
import type { CallPricing } from "../../../application/pricing/call-pricing.js";
import { areUncounted, type CallTotals, costOfCall } from "../../../domain/cost/call-totals.js";
import { diagnosisOf } from "../../../domain/diagnosis/diagnosis.js";
import type { Diagnosis } from "../../../domain/diagnosis/session-diagnosis.js";
import type { ModelCall } from "../../../domain/steps/session-steps.js";
import type { ModelTotals, SessionCounts } from "../../../domain/summary/session-summary.js";
import {
  countsOf,
  pricedCalls,
  ratesOfCalls,
  totalOf,
  totalsByModel,
} from "../../../domain/summary/summarise-calls.js";
import { pricesOf } from "../../../domain/summary/summarise-session.js";
import { formatCount, formatLongCost, formatShare } from "../../../domain/text/figures.js";
import type { Cost } from "../../../domain/usage/money.js";
import { contextTokens } from "../../../domain/usage/token-counts.js";
import type { ReadTrace } from "./read-trace.js";

export interface SessionFigures {
  readonly counts: SessionCounts;
  readonly total: CallTotals;
  readonly models: readonly ModelTotals[];
  readonly diagnosis: Diagnosis;
  readonly totalMs: number;
  /** Milliseconds since the epoch; 0 if not recorded. */
  readonly from: number;
  costOf(call: ModelCall): Cost;
  totalOf(calls: readonly ModelCall[]): CallTotals;
}

export async function sessionFigures(
  { steps, errors }: ReadTrace,
  pricing: CallPricing,
  options: ReadOptions,
): Promise<SessionFigures> {
  const ratesOf = ratesOfCalls(steps, await pricing.ratesOf(pricedCalls(steps), options));
  return {
    counts: countsOf(steps),
    total: totalOf(steps.calls, ratesOf),
    models: totalsByModel(steps, ratesOf),
    diagnosis: diagnosisOf(errors, pricesOf(steps, ratesOf)),
    totalMs: steps.to - steps.from,
    from: steps.from,
    costOf: (call) => costOfCall(call, ratesOf(call)),
    totalOf: (calls) => totalOf(calls, ratesOf),
  };
}

/** @example usedText(total) // ["12,000 input tokens (80% cache hits)", "900 output tokens", "$0.12"] */
export function usedText(total: CallTotals): readonly string[] {
  if (total.calls === 0) return [];
  if (areUncounted(total)) return ["no token counts"];
  const { usage } = total;
  const input = contextTokens(usage);
  const hits = input === 0 ? "" : ` (${formatShare(usage.cacheReadTokens / input)} cache hits)`;
  return [
    `${formatCount(input)} input tokens${hits}`,
    `${formatCount(usage.outputTokens)} output tokens`,
    formatLongCost(total.cost),
  ];
}
