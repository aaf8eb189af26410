import { QUARTER_MS } from "../facts/session-facts.js";
import type { ListedSession } from "../session/model-usage.js";
import type { PricedCall } from "../usage/money.js";
import { needsRates, pricedCallOf, usageRowsOf } from "./usage-rows.js";

export function* pricedCallsOf(session: ListedSession): Generator<PricedCall, void> {
  for (const row of usageRowsOf(session)) if (needsRates(row)) yield pricedCallOf(row);
  const { facts } = session;
  if (facts === undefined) return;
  const { carried, models, largestCalls } = facts;
  for (const [i, quarter] of carried.quarter.entries()) {
    const { model = "", provider } = models[carried.model[i]!] ?? {};
    if (model !== "") yield { model, provider, at: quarter * QUARTER_MS, contextTokens: 0 };
  }
  for (const { at, model: place, contextTokens } of largestCalls) {
    const { model = "", provider } = models[place] ?? {};
    if (model !== "") yield { model, provider, at, contextTokens };
  }
}
