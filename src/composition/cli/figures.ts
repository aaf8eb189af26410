import type { Cost } from "../../domain/usage/money.js";

export const COUNT = new Intl.NumberFormat("en");

/** What is known of a cost; what has no price is said beside it. */
export function costText({ usd, unpricedCalls }: Cost): string {
  const money = usd > 0 && usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
  if (unpricedCalls === 0) return money;
  const unpriced = `${COUNT.format(unpricedCalls)} ${unpricedCalls === 1 ? "call" : "calls"} without a price`;
  return usd === 0 ? unpriced : `${money} and ${unpriced}`;
}

/** @example durationText(83_000) // "1m 23s" */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
}
