import { durationOfClass, QUARTER_MS, type SessionFacts } from "../facts/session-facts.js";
import { exactTerm } from "../filter/filter-text.js";
import { costOfUsage, type TokenRates } from "../usage/money.js";
import type { ToolTotals } from "./overview.js";
import { costOfRow, needsRates, rowsOfFacts, tokensIn } from "./usage-rows.js";
import { Groups } from "./usage-sum.js";

class ToolSum {
  calls = 0;
  failures = 0;
  refused = 0;
  sessions = 0;
  resultTokens = 0;
  carriedTokens = 0;
  carriedUsd: number | undefined;
  readonly durations = new Map<number, number>();
  last: object | undefined;

  /** `undefined` if no end is recorded. */
  quantileMs(part: number): number | undefined {
    const all = [...this.durations.values()].reduce((sum, calls) => sum + calls, 0);
    let reached = 0;
    for (const [length, calls] of [...this.durations].sort(([a], [b]) => a - b)) {
      reached += calls;
      if (reached >= all * part) return Math.round(durationOfClass(length));
    }
    return undefined;
  }
}

/** @returns `undefined` without a price */
export type RatesAt = (call: {
  readonly model: string;
  readonly provider?: string | undefined;
  readonly at: number;
  readonly contextTokens: number;
}) => TokenRates | undefined;

export class ToolSums {
  readonly #now = new Groups(() => new ToolSum());
  readonly #before = new Groups(() => new ToolSum());

  /** @param isNow false for the previous range, `undefined` outside of both */
  add(facts: SessionFacts, isNow: (at: number) => boolean | undefined, ratesAt: RatesAt): void {
    const { tools, toolUse, durations, carried } = facts;
    const sumOf = (quarter: number, tool: number) => {
      const now = isNow(quarter * QUARTER_MS);
      return now === undefined ? undefined : (now ? this.#now : this.#before).get(tools[tool] ?? "");
    };
    for (const [i, quarter] of toolUse.quarter.entries()) {
      const sum = sumOf(quarter, toolUse.tool[i]!);
      if (sum === undefined) continue;
      if (sum.last !== facts) sum.sessions++;
      sum.last = facts;
      sum.calls += toolUse.calls[i] ?? 0;
      sum.failures += toolUse.failures[i] ?? 0;
      sum.refused += toolUse.refused[i] ?? 0;
      sum.resultTokens += toolUse.resultTokens[i] ?? 0;
    }
    for (const [i, quarter] of durations.quarter.entries()) {
      const sum = sumOf(quarter, durations.tool[i]!);
      const length = durations.length[i]!;
      sum?.durations.set(length, (sum.durations.get(length) ?? 0) + (durations.calls[i] ?? 0));
    }
    const priceOf = carriedPrices(facts, ratesAt);
    for (const [i, quarter] of carried.quarter.entries()) {
      const sum = sumOf(quarter, carried.tool[i]!);
      if (sum === undefined) continue;
      sum.carriedTokens += (carried.firstTokens[i] ?? 0) + (carried.againTokens[i] ?? 0);
      const usd = priceOf(i);
      if (usd !== undefined) sum.carriedUsd = (sum.carriedUsd ?? 0) + usd;
    }
  }

  result(): ToolTotals[] {
    return this.#now.entries
      .sort(([a, one], [b, other]) => other.calls - one.calls || (a < b ? -1 : 1))
      .map(([name, sum]) => {
        const earlier = this.#before.find(name);
        return {
          name,
          ...(name === "" ? {} : { filter: exactTerm("tool", name) }),
          ...countsOf(sum),
          refused: sum.refused,
          sessions: sum.sessions,
          ...(earlier === undefined ? {} : { previous: countsOf(earlier) }),
          resultTokens: sum.resultTokens,
          carriedTokens: sum.carriedTokens,
          ...(sum.carriedUsd === undefined ? {} : { carriedUsd: sum.carriedUsd }),
        };
      });
  }
}

interface PaidCalls {
  usd: number;
  /** At list prices. */
  listUsd: number;
  carriedUsd: number;
}

/**
 * A share of the real cost of the calls of a model in a quarter hour: token counts of results are estimates, and their sum may exceed
 * those of the calls.
 * @returns US dollars of a row of `facts.carried`; `undefined` without a price
 */
function carriedPrices(facts: SessionFacts, ratesAt: RatesAt): (row: number) => number | undefined {
  const { carried, models } = facts;
  const paid = new Map<string, PaidCalls>();
  const keyOf = (at: number, model: string, provider = "") => JSON.stringify([at, model, provider]);
  for (const row of rowsOfFacts(facts)) {
    const rates = ratesAt({ ...row, contextTokens: 0 });
    if (rates === undefined || (row.recordedUsd === undefined && tokensIn(row) === 0)) continue;
    const key = keyOf(row.at, row.model, row.provider);
    const calls = paid.get(key) ?? { usd: 0, listUsd: 0, carriedUsd: 0 };
    paid.set(key, calls);
    calls.usd += costOfRow(row, needsRates(row) ? ratesAt(row) : undefined).usd;
    calls.listUsd += costOfUsage(row.usage, rates);
  }
  const rows = carried.quarter.map((quarter, i) => {
    const { model = "", provider } = models[carried.model[i]!] ?? {};
    const at = quarter * QUARTER_MS;
    const rates = ratesAt({ model, provider, at, contextTokens: 0 });
    const calls = paid.get(keyOf(at, model, provider));
    if (rates === undefined || calls === undefined) return undefined;
    const [first, again] = [carried.firstTokens[i] ?? 0, carried.againTokens[i] ?? 0];
    // A cache stores new content of a context if there is one; later calls read it from there.
    const usd = first * Math.max(rates.cacheWrite, rates.input) + again * rates.cacheRead;
    calls.carriedUsd += usd;
    return { calls, usd };
  });
  return (row) => {
    const { calls, usd } = rows[row] ?? {};
    if (calls === undefined || usd === undefined) return undefined;
    const most = Math.max(calls.listUsd, calls.carriedUsd);
    return most === 0 ? 0 : (usd * calls.usd) / most;
  };
}

function countsOf(sum: ToolSum) {
  const [p50Ms, p95Ms] = [sum.quantileMs(0.5), sum.quantileMs(0.95)];
  const { calls, failures } = sum;
  return p50Ms === undefined || p95Ms === undefined ? { calls, failures } : { calls, failures, p50Ms, p95Ms };
}
