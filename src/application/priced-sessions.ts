import { costOfModels, type ListedSession, type ModelUsage } from "../domain/model-usage.js";
import type { RatesOf } from "../domain/money.js";
import type { InspectorSessionItem } from "../domain/session.js";
import type { PriceTable } from "./ports/price-table.js";
import { runInSlices } from "./slices.js";

const ITEMS_PER_PAUSE = 256;

/** Sessions with what they cost, as far as their source knows what they used. */
export async function pricedSessions(
  sessions: readonly ListedSession[],
  prices: PriceTable | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly InspectorSessionItem[]> {
  if (!sessions.some(({ usageByModel }) => usageByModel !== undefined)) return sessions;
  const ratesOf = prices?.source === undefined ? undefined : await prices.load();
  return runInSlices(priceSteps(sessions, ratesOf), signal);
}

function* priceSteps(
  sessions: readonly ListedSession[],
  ratesOf: RatesOf | undefined,
): Generator<void, InspectorSessionItem[]> {
  const priced: InspectorSessionItem[] = [];
  for (const { usageByModel = [], ...session } of sessions) {
    const isKnown = usageByModel.length > 0 && (ratesOf !== undefined || usageByModel.some(isRecorded));
    priced.push(isKnown ? { ...session, cost: costOfModels(usageByModel, ratesOf ?? NO_RATES) } : session);
    if (priced.length % ITEMS_PER_PAUSE === 0) yield;
  }
  return priced;
}

const NO_RATES: RatesOf = () => undefined;

function isRecorded({ recordedUsd }: ModelUsage): boolean {
  return recordedUsd !== undefined;
}
