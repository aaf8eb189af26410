import type { ComparedSession, SessionComparison } from "../../../src/domain/compare/session-comparison.js";
import type { StepComparison } from "../../../src/domain/compare/step-comparison.js";
import { areUncounted } from "../../../src/domain/cost/call-totals.js";
import { isLowerBound } from "../../../src/domain/usage/money.js";
import { totalTokens } from "../../../src/domain/usage/token-usage.js";
import { hasNoPrice } from "./session-costs.js";

/** Numeric metrics of each session of a group. */
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

/** The numbers of one session; `undefined` for those that are not available or not comparable with the reference. */
export type MetricValues = { readonly [metric in GroupMetric]: number | undefined } & {
  /** True if the actual cost exceeds `cost`: a part has no price, or was not counted completely. */
  readonly costsMore: boolean;
};

/** @param other which of both it is: the reference is the first one, and parts from nothing */
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

/** The step of the reference, from 1, at which the two part: all rows before it are steps of both. */
function firstDivergence({ divergences: [first] }: StepComparison): number | undefined {
  return first === undefined ? undefined : first.row + 1;
}

/** Returns the median of the available values: the middle value, or the mean of the two in the middle; `undefined` without values. */
export function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (known.length === 0) return undefined;
  const middle = known.length >> 1;
  return known.length % 2 === 1 ? known[middle] : (known[middle - 1]! + known[middle]!) / 2;
}

/** Returns by how much a value exceeds another, as a fraction of that; `undefined` if that is 0, or either is not available. */
export function deviationOf(value: number | undefined, from: number | undefined): number | undefined {
  return value === undefined || from === undefined || from === 0 ? undefined : (value - from) / from;
}
