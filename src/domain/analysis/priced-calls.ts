import type { CallColumns, CallRates } from "../call-prices.js";
import { contextTokens } from "../conversation/token-counts.js";
import type { TokenRates } from "../money.js";
import type { ModelCall, SessionSteps } from "./session-steps.js";
import type { RatesOfCall } from "./summarise-calls.js";

/** What the price of each model call depends on, in their order. */
export function pricedCalls({ calls }: SessionSteps): CallColumns {
  const names: { readonly model: string; readonly provider: string | undefined }[] = [];
  const places = new Map<string, number>();
  const placeOf = ({ model, provider, usage }: ModelCall): number => {
    if (model === undefined || usage === undefined) return -1;
    const key = JSON.stringify([model, provider]);
    const place = places.get(key) ?? names.push({ model, provider }) - 1;
    places.set(key, place);
    return place;
  };
  return {
    nameOf: Int32Array.from(calls, placeOf),
    names,
    at: Float64Array.from(calls, ({ at }) => at),
    contextTokens: Float64Array.from(calls, ({ usage }) => (usage === undefined ? 0 : contextTokens(usage))),
  };
}

/** @param rates in the order of the model calls */
export function ratesOfCalls({ calls }: SessionSteps, { rates, rateOf }: CallRates): RatesOfCall {
  const known = new Map<ModelCall, TokenRates | undefined>();
  for (const [i, call] of calls.entries()) known.set(call, rates[rateOf[i]!]);
  return (call) => known.get(call);
}
