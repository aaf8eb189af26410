import type { FactsCall, SessionFacts } from "../facts/session-facts.js";
import { FirstOnes } from "../lists/first-ones.js";
import type { ListedSession } from "../session/model-usage.js";
import { formatInstant } from "../trace/instant.js";
import type { Cost } from "../usage/money.js";
import type { CallTotalsOfSession } from "./overview.js";
import type { RatesAt } from "./tool-sums.js";
import { costOfRow, needsRates, pricedCallOf, type UsedTokens } from "./usage-rows.js";

const MOST_LISTED = 50;

interface PricedCallOfSession {
  readonly session: ListedSession;
  readonly call: FactsCall;
  readonly model: string;
  readonly role: string;
  readonly cost: Cost;
}

/** The most expensive calls of all sessions. */
export class LargestCalls {
  readonly #ratesAt: RatesAt;
  readonly #calls = new FirstOnes<PricedCallOfSession>(MOST_LISTED, compareCalls);

  constructor(ratesAt: RatesAt) {
    this.#ratesAt = ratesAt;
  }

  add(
    session: ListedSession,
    { largestCalls, models, roles }: SessionFacts,
    isNow: (at: number) => boolean | undefined,
  ): void {
    for (const call of largestCalls) {
      if (isNow(call.at) !== true) continue;
      const { model = "", provider } = models[call.model] ?? {};
      const row = rowOf(call, model, provider);
      const cost = costOfRow(row, needsRates(row) ? this.#ratesAt(pricedCallOf(row)) : undefined);
      this.#calls.add({ session, call, model, role: roles[call.role] ?? "", cost });
    }
  }

  result(): CallTotalsOfSession[] {
    return this.#calls.items.map(({ session, call, model, role, cost }) => ({
      tenantId: session.tenantId,
      sessionId: session.sessionId,
      ...(session.title === undefined ? {} : { title: session.title }),
      at: formatInstant(call.at),
      model,
      role,
      contextTokens: call.contextTokens,
      outputTokens: call.outputTokens,
      cost,
    }));
  }
}

function compareCalls(a: PricedCallOfSession, b: PricedCallOfSession): number {
  return b.cost.usd - a.cost.usd || b.call.contextTokens - a.call.contextTokens || a.call.at - b.call.at;
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
