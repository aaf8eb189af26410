import { type Cost, isLowerBound } from "../../../../src/domain/usage/money.js";
import { hasNoPrice } from "../sessions/session-costs.js";
import { formatDollars } from "../text/formats.js";

/**
 * Distinguishes calls below a cent.
 * @returns `undefined` if nothing has a price
 * @example stepDollars({ ...NO_COST, usd: 0.0123 }) // "$0.012"
 */
export function stepDollars(cost: Cost): string | undefined {
  if (hasNoPrice(cost)) return undefined;
  return `${isLowerBound(cost) ? "≥" : ""}${fineDollars(cost.usd)}`;
}

function fineDollars(usd: number): string {
  if (usd === 0 || usd >= 0.0995) return formatDollars(usd);
  return usd < 0.0005 ? "<$0.001" : `$${usd.toFixed(3)}`;
}
