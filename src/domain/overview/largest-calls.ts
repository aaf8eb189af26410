import type { FactsCall, SessionFacts } from "../facts/session-facts.js";
import { formatInstant } from "../trace/instant.js";
import type { ListedSession } from "../usage/model-usage.js";
import type { CallTotalsOfSession } from "./overview.js";
import type { RatesAt } from "./tool-sums.js";
import { costOfRow, needsRates, pricedCallOf, type UsedTokens } from "./usage-rows.js";

/** How many calls are listed. */
const MOST_LISTED = 50;

/** The calls that cost most, of those that each session says cost most in it. */
export class LargestCalls {
  readonly #ratesAt: RatesAt;
  #calls: CallTotalsOfSession[] = [];
  /** What the last one costs of those that are listed so far. */
  #least = 0;

  constructor(ratesAt: RatesAt) {
    this.#ratesAt = ratesAt;
  }

  add(
    { tenantId, sessionId, title }: ListedSession,
    { largestCalls, models, roles }: SessionFacts,
    isNow: (at: number) => boolean | undefined,
  ): void {
    for (const call of largestCalls) {
      if (isNow(call.at) !== true) continue;
      const { model = "", provider } = models[call.model] ?? {};
      const row = rowOf(call, model, provider);
      const cost = costOfRow(row, needsRates(row) ? this.#ratesAt(pricedCallOf(row)) : undefined);
      if (cost.usd < this.#least) continue;
      const named = title === undefined ? {} : { title };
      const { contextTokens, outputTokens } = call;
      const at = formatInstant(call.at);
      const role = roles[call.role] ?? "";
      this.#calls.push({ tenantId, sessionId, ...named, at, model, role, contextTokens, outputTokens, cost });
    }
    if (this.#calls.length < 4 * MOST_LISTED) return;
    this.#calls = this.result();
    this.#least = this.#calls.at(-1)!.cost.usd;
  }

  result(): CallTotalsOfSession[] {
    const order = (a: CallTotalsOfSession, b: CallTotalsOfSession) =>
      b.cost.usd - a.cost.usd || b.contextTokens - a.contextTokens || (a.at < b.at ? -1 : 1);
    return this.#calls.toSorted(order).slice(0, MOST_LISTED);
  }
}

function rowOf(call: FactsCall, model: string, provider: string | undefined): UsedTokens {
  const { at, contextTokens, recordedUsd } = call;
  return {
    at,
    model,
    provider,
    role: "",
    contextTokens,
    calls: 1,
    failedCalls: 0,
    placeholderCalls: 0,
    usage: call,
    recordedUsd: recordedUsd < 0 ? undefined : recordedUsd,
  };
}
