import { plausibleInstant } from "../../../domain/trace/instant.js";
import { type Cost, isLowerBound } from "../../../domain/usage/money.js";

/** `≥` marks an incomplete cost. */
export function costText(cost: Cost): string {
  if (cost.usd === 0 && cost.unpricedCalls > 0) return "no pricing";
  return `${isLowerBound(cost) ? "≥" : ""}$${cost.usd > 0 && cost.usd < 0.01 ? cost.usd.toPrecision(2) : cost.usd.toFixed(2)}`;
}

/** @example minuteText(1_767_502_875_022) // "2026-01-04 05:01 UTC" */
export function minuteText(at: number): string {
  if (plausibleInstant(at) === undefined) return "an unknown time";
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
