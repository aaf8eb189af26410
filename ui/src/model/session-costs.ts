import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import { addCost, type Cost, isLowerBound, NO_COST } from "../../../src/domain/usage/money.js";

/** What several sessions cost together. */
export interface SessionCosts extends Cost {
  /** How many sessions have a cost, and how many of them cost more: a part has no price, or was not counted whole. */
  readonly sessions: number;
  readonly incomplete: number;
}

/** The sum over the sessions whose cost is known; `undefined` where there is none. */
export function sumCosts(sessions: readonly InspectorSessionItem[]): SessionCosts | undefined {
  const costs = sessions.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  if (costs.length === 0) return undefined;
  const incomplete = costs.filter(isLowerBound).length;
  return { ...costs.reduce(addCost, NO_COST), sessions: costs.length, incomplete };
}

/** Whether nothing of it has a price. */
export function hasNoPrice({ usd, unpricedCalls }: Cost): boolean {
  return usd === 0 && unpricedCalls > 0;
}
