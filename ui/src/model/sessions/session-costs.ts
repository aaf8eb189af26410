import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { addCost, type Cost, isLowerBound, NO_COST } from "../../../../src/domain/usage/money.js";

export interface SessionCosts extends Cost {
  /** Sessions with a cost; `incomplete` ones cost more: a part has no price, or was not counted. */
  readonly sessions: number;
  readonly incomplete: number;
}

/** `undefined` if no session has a cost. */
export function sumCosts(sessions: readonly InspectorSessionItem[]): SessionCosts | undefined {
  const costs = sessions.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  if (costs.length === 0) return undefined;
  const incomplete = costs.filter(isLowerBound).length;
  return { ...costs.reduce(addCost, NO_COST), sessions: costs.length, incomplete };
}
