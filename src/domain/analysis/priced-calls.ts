import { type CallColumns, type CallRates, callColumns } from "../usage/call-prices.js";
import type { TokenRates } from "../usage/money.js";
import { contextTokens } from "../usage/token-counts.js";
import type { ModelCall, SessionSteps } from "./session-steps.js";
import type { RatesOfCall } from "./summarise-calls.js";

/** What the price of each model call depends on, in their order. */
export function pricedCalls({ calls }: SessionSteps): CallColumns {
  return callColumns(
    calls.map(({ model, provider, usage, at }) =>
      model === undefined || usage === undefined
        ? undefined
        : { model, provider, at, contextTokens: contextTokens(usage) },
    ),
  );
}

/** @param rates in the order of the model calls */
export function ratesOfCalls({ calls }: SessionSteps, { rates, rateOf }: CallRates): RatesOfCall {
  const known = new Map<ModelCall, TokenRates | undefined>();
  for (const [i, call] of calls.entries()) known.set(call, rates[rateOf[i]!]);
  return (call) => known.get(call);
}
