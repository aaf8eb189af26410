import { contextTokens } from "../conversation/token-counts.js";
import type { PricedCall, TokenRates } from "../money.js";
import type { SessionSteps } from "./session-steps.js";
import type { RatesOfCall } from "./summarise-calls.js";

/** What the price of each model call depends on, in their order; `undefined` for one that has no price, or needs none. */
export function pricedCalls({ calls }: SessionSteps): readonly (PricedCall | undefined)[] {
  return calls.map(({ model, provider, at, usage }) =>
    model === undefined || usage === undefined
      ? undefined
      : { model, provider, at, contextTokens: contextTokens(usage) },
  );
}

/** @param rates in the order of the model calls; `undefined` for one without a price */
export function ratesOfCalls(
  { calls }: SessionSteps,
  rates: readonly (TokenRates | undefined)[],
): RatesOfCall {
  const known = new Map(calls.map(({ stepId }, i) => [stepId, rates[i]]));
  return ({ stepId }) => known.get(stepId);
}
