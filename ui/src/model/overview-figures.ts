import type { ToolTotals, UsageTotals } from "../../../src/domain/overview/overview.js";
import { type Cost, isLowerBound } from "../../../src/domain/usage/money.js";
import type { TokenUsage } from "../../../src/domain/usage/token-usage.js";
import { formatDollars } from "./formats.js";
import { hasNoPrice } from "./session-costs.js";

/** Returns the share of the models' input that came from a cache; `undefined` if nothing is counted. */
export function cacheShare({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: TokenUsage): number | undefined {
  return shareOf(cacheReadTokens, inputTokens + cacheReadTokens + cacheWriteTokens);
}

/** Returns the share of tool calls that failed; `undefined` without tool calls. */
export function errorRate({ failedToolCalls, toolCalls }: UsageTotals): number | undefined {
  return shareOf(failedToolCalls, toolCalls);
}

export function failureShare({
  failures,
  calls,
}: Pick<ToolTotals, "failures" | "calls">): number | undefined {
  return shareOf(failures, calls);
}

function shareOf(part = 0, whole = 0): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

/** @example formatShare(0.0321) // "3.2%" */
export function formatShare(share: number): string {
  const percent = share * 100;
  // A part is never rounded up to 100%, nor down to 0%.
  if (percent > 99 && percent < 100) return `${Math.floor(percent * 10) / 10}%`;
  if (percent > 0 && percent < 0.1) return "<0.1%";
  return `${percent.toFixed(percent < 10 ? 1 : 0).replace(/\.0$/, "")}%`;
}

/**
 * By how much something is more or less than before, in words; `undefined` where there was nothing before.
 *
 * @example changeText(110, 100) // "+10%"
 */
export function changeText(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  if (percent >= 900) return `×${Math.round(now / before)}`;
  return percent === 0 ? "±0%" : percent > 0 ? `+${percent}%` : `−${-percent}%`;
}

/** The same of shares, in points of a hundred. */
export function pointsText(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  const points = Math.round((now - before) * 1000) / 10;
  return points === 0 ? "±0 pts" : points > 0 ? `+${points} pts` : `−${-points} pts`;
}

/** Formats the cost as far as prices are available: ≥ if a part has no price. `undefined` if nothing has a price. */
export function knownDollars(cost: Cost): string | undefined {
  return hasNoPrice(cost) ? undefined : `${isLowerBound(cost) ? "≥" : ""}${formatDollars(cost.usd)}`;
}
