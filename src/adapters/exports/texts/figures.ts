import { type Cost, isLowerBound } from "../../../domain/usage/money.js";

/** What is known of a cost, with `≥` where that is not all. */
export function costText(cost: Cost): string {
  if (cost.usd === 0 && cost.unpricedCalls > 0) return "no pricing";
  return `${isLowerBound(cost) ? "≥" : ""}$${cost.usd > 0 && cost.usd < 0.01 ? cost.usd.toPrecision(2) : cost.usd.toFixed(2)}`;
}

/** @example minuteText(0) // "1970-01-01 00:00 UTC" */
export function minuteText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
