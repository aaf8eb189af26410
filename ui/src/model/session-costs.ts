import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import { addCost, type Cost, isLowerBound, NO_COST } from "../../../src/domain/usage/money.js";

/** Total cost of several sessions. */
export interface SessionCosts extends Cost {
  /** Number of sessions with a cost, and of those that cost more: a part has no price, or was not counted completely. */
  readonly sessions: number;
  readonly incomplete: number;
}

/** Returns the sum over the sessions with a cost; `undefined` without such sessions. */
export function sumCosts(sessions: readonly InspectorSessionItem[]): SessionCosts | undefined {
  const costs = sessions.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  if (costs.length === 0) return undefined;
  const incomplete = costs.filter(isLowerBound).length;
  return { ...costs.reduce(addCost, NO_COST), sessions: costs.length, incomplete };
}

/** True if nothing of it has a price. */
export function hasNoPrice({ usd, unpricedCalls }: Cost): boolean {
  return usd === 0 && unpricedCalls > 0;
}
