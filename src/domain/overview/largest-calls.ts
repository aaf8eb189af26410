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
      const role = roles[call.role] ?? "";
      const row = rowOf(call, model, provider, role);
      this.#calls.push({
        tenantId,
        sessionId,
        ...(title === undefined ? {} : { title }),
        at: formatInstant(call.at),
        model,
        role,
        contextTokens: call.contextTokens,
        outputTokens: call.outputTokens,
        cost: costOfRow(row, needsRates(row) ? this.#ratesAt(pricedCallOf(row)) : undefined),
      });
    }
    if (this.#calls.length > 4 * MOST_LISTED) this.#calls = this.result();
  }

  result(): CallTotalsOfSession[] {
    const order = (a: CallTotalsOfSession, b: CallTotalsOfSession) =>
      b.cost.usd - a.cost.usd || b.contextTokens - a.contextTokens || (a.at < b.at ? -1 : 1);
    return this.#calls.toSorted(order).slice(0, MOST_LISTED);
  }
}

function rowOf(call: FactsCall, model: string, provider: string | undefined, role: string): UsedTokens {
  const { at, contextTokens, recordedUsd, inputTokens, outputTokens, cacheReadTokens } = call;
  const { cacheWriteTokens, cacheWrite1hTokens } = call;
  return {
    ...{ at, model, provider, role, contextTokens, calls: 1, failedCalls: 0, placeholderCalls: 0 },
    usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens },
    recordedUsd: recordedUsd < 0 ? undefined : recordedUsd,
  };
}
