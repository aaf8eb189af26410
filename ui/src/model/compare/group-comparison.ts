import type {
  ComparedSession,
  SessionComparison,
} from "../../../../src/domain/compare/session-comparison.js";
import type { StepComparison } from "../../../../src/domain/compare/step-comparison.js";
import { areUncounted } from "../../../../src/domain/cost/call-totals.js";
import { hasNoPrice } from "../../../../src/domain/text/figures.js";
import { isLowerBound } from "../../../../src/domain/usage/money.js";
import { totalTokens } from "../../../../src/domain/usage/token-usage.js";

export const GROUP_METRICS = [
  "cost",
  "tokens",
  "ms",
  "turns",
  "modelCalls",
  "toolCalls",
  "errors",
  "divergence",
  "divergences",
  "same",
] as const;

export type GroupMetric = (typeof GROUP_METRICS)[number];

/** `undefined` if unavailable, or not comparable with the reference. */
export type MetricValues = { readonly [metric in GroupMetric]: number | undefined } & {
  /** The actual cost exceeds `cost`: a part has no price, or was not counted. */
  readonly costsMore: boolean;
};

/** @param other 0 is the reference, which diverges from nothing */
export function metricsOf({ sessions, steps }: SessionComparison, other: 0 | 1): MetricValues {
  const { ms, counts, total } = sessions[other];
  return {
    cost: costOf(sessions[other]),
    costsMore: isLowerBound(total.cost),
    tokens: areUncounted(total) ? undefined : totalTokens(total.usage),
    ms,
    turns: counts.turns,
    modelCalls: counts.modelCalls,
    toolCalls: counts.toolCalls,
    errors: counts.failedModelCalls + counts.failedToolCalls,
    divergence: other === 0 ? undefined : firstDivergence(steps),
    divergences: other === 0 ? undefined : steps.divergenceCount,
    same: other === 0 ? undefined : steps.same,
  };
}

function costOf({ total }: ComparedSession): number | undefined {
  return areUncounted(total) || hasNoPrice(total.cost) ? undefined : total.cost.usd;
}

/** Counted from 1: all rows before it are steps of both. */
function firstDivergence({ divergences: [first] }: StepComparison): number | undefined {
  return first === undefined ? undefined : first.row + 1;
}

/** Ignores unavailable values. Mean of the two in the middle; `undefined` without values. */
export function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Excess as a fraction; `undefined` if `from` is 0, or a value is unavailable. */
export function deviationOf(value: number | undefined, from: number | undefined): number | undefined {
  return value === undefined || from === undefined || from === 0 ? undefined : (value - from) / from;
}
