import type { PricedCall, RatesOf, TokenRates } from "./money.js";

/** Columns, because a thread receives them at the cost of their bytes. */
export interface CallColumns {
  /** Each pair once. */
  readonly names: readonly { readonly model: string; readonly provider: string | undefined }[];
  /** Index in `names`; -1 for a call that has no price, or needs none. */
  readonly nameOf: Int32Array;
  /** Milliseconds since the epoch. */
  readonly at: Float64Array;
  readonly contextTokens: Float64Array;
}

/** Prices per token: many calls share few rates. */
export interface CallRates {
  readonly rates: readonly TokenRates[];
  /** Index in `rates`; -1 without a price. */
  readonly rateOf: Int32Array;
}

export const NO_CALLS_TO_PRICE: CallColumns = {
  names: [],
  nameOf: new Int32Array(),
  at: new Float64Array(),
  contextTokens: new Float64Array(),
};

/** @param calls `undefined` for a call that has no price, or needs none */
export function callColumns(calls: readonly (PricedCall | undefined)[]): CallColumns {
  const names: { readonly model: string; readonly provider: string | undefined }[] = [];
  const places = new Map<string, number>();
  const placeOf = (call: PricedCall | undefined): number => {
    if (call === undefined) return -1;
    const { model, provider } = call;
    const key = JSON.stringify([model, provider]);
    const place = places.get(key) ?? names.push({ model, provider }) - 1;
    places.set(key, place);
    return place;
  };
  return {
    nameOf: Int32Array.from(calls, placeOf),
    names,
    at: Float64Array.from(calls, (call) => call?.at ?? 0),
    contextTokens: Float64Array.from(calls, (call) => call?.contextTokens ?? 0),
  };
}

export function* callRates(calls: CallColumns, ratesOf: RatesOf): Generator<void, CallRates> {
  const rates: TokenRates[] = [];
  const places = new Map<string, number>();
  const rateOf = new Int32Array(calls.nameOf.length).fill(-1);
  for (const [i, name] of calls.nameOf.entries()) {
    yield;
    if (name === -1) continue;
    const { model, provider } = calls.names[name]!;
    const matches = ratesOf({ model, provider, at: calls.at[i]!, contextTokens: calls.contextTokens[i]! });
    if (matches === undefined) continue;
    const { input, output, cacheRead, cacheWrite, cacheWrite1h, contextWindow } = matches;
    const key = `${input} ${output} ${cacheRead} ${cacheWrite} ${cacheWrite1h} ${contextWindow}`;
    const place = places.get(key) ?? rates.push(matches) - 1;
    places.set(key, place);
    rateOf[i] = place;
  }
  return { rates, rateOf };
}
