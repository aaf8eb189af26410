import type { Divergence, StepUse } from "../../../../src/domain/compare/step-comparison.js";
import { formatDuration, formatFineDollars, signed } from "../../../../src/domain/text/figures.js";

type Two<T> = readonly [T, T];

/** Second minus first: "+$0.12", "−$1.20", "0"; "?" without a price. */
export function dollarsMore([a, b]: Two<StepUse>): string {
  const isUnpriced = (a.unpricedCalls ?? 0) + (b.unpricedCalls ?? 0) > 0;
  const more = b.usd - a.usd;
  if (isUnpriced && more === 0) return "?";
  return signed(more, Math.abs(more) < 5e-5, formatFineDollars) + (isUnpriced ? "?" : "");
}

/** Second minus first: "+1m 23s", "−340ms", "0". */
export function timeMore([a, b]: Two<StepUse>): string {
  const more = b.ms - a.ms;
  return signed(more, Math.abs(more) < 0.5, formatDuration);
}

export type DeltaMeasure = "usd" | "ms";

export function largestDivergences(
  divergences: readonly Divergence[],
  by: DeltaMeasure,
  most: number,
): readonly number[] {
  const size = (i: number) => {
    const [a, b] = divergences[i]!.used;
    return Math.abs(b[by] - a[by]);
  };
  return [...divergences.keys()]
    .filter((i) => size(i) > 0)
    .sort((i, j) => size(j) - size(i) || i - j)
    .slice(0, most);
}
