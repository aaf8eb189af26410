import type { Cost } from "../../../../src/domain/money.js";
import { formatCount } from "../../model/formats.js";

/** What is known of a cost, in US dollars; what has no price is said beside it. */
export function costText({ usd, unpricedCalls }: Cost, unpriced: (calls: string) => string): string {
  const money = usd > 0 && usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
  if (unpricedCalls === 0) return money;
  const without = unpriced(formatCount(unpricedCalls));
  return usd === 0 ? without : `${money}, ${without}`;
}
