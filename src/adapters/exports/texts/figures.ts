import { type Cost, isLowerBound } from "../../../domain/usage/money.js";

export const COUNT = new Intl.NumberFormat("en");

/** @example counted(1_500, "turn") // "1,500 turns" */
export function counted(count: number, what: string): string {
  return `${COUNT.format(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** @example durationText(83_000) // "1m 23s" */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
}

/** What is known of a cost, with `≥` where that is not all. */
export function costText(cost: Cost): string {
  if (cost.usd === 0 && cost.unpricedCalls > 0) return "no pricing";
  return `${isLowerBound(cost) ? "≥" : ""}$${cost.usd > 0 && cost.usd < 0.01 ? cost.usd.toPrecision(2) : cost.usd.toFixed(2)}`;
}

/** @example minuteText(0) // "1970-01-01 00:00 UTC" */
export function minuteText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
