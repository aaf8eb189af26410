import type { ToolTotals, UsageTotals } from "../../../../src/domain/overview/overview.js";
import type { TokenUsage } from "../../../../src/domain/usage/token-usage.js";

/** Share of input from a cache; `undefined` if nothing is counted. */
export function cacheShare({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: TokenUsage): number | undefined {
  return shareOf(cacheReadTokens, inputTokens + cacheReadTokens + cacheWriteTokens);
}

/** `undefined` without tool calls. */
export function errorRate({ failedToolCalls, toolCalls }: UsageTotals): number | undefined {
  return shareOf(failedToolCalls, toolCalls);
}

export function failureShare({
  failures,
  calls,
}: Pick<ToolTotals, "failures" | "calls">): number | undefined {
  return shareOf(failures, calls);
}

function shareOf(part = 0, total = 0): number | undefined {
  return total === 0 ? undefined : part / total;
}

/**
 * Relative change; `undefined` without an earlier value.
 * @example changeText(110, 100) // "+10%"
 */
export function changeText(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  if (percent >= 900) return `×${Math.round(now / before)}`;
  return percent === 0 ? "±0%" : percent > 0 ? `+${percent}%` : `−${-percent}%`;
}

/** In percentage points. */
export function pointsText(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  const points = Math.round((now - before) * 1000) / 10;
  return points === 0 ? "±0 pts" : points > 0 ? `+${points} pts` : `−${-points} pts`;
}
