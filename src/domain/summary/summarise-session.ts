import type { ContextOfCall } from "../context/agent-contexts.js";
import { type CacheMiss, type CacheMissCause, cacheMisses } from "../cost/cache-misses.js";
import { costOfCall } from "../cost/call-totals.js";
import { type Carried, CarriedSum } from "../cost/carrying-cost.js";
import { diagnosisOf } from "../diagnosis/diagnosis.js";
import { wasteOf } from "../diagnosis/waste.js";
import type { SessionKey } from "../session/session-key.js";
import type { SessionSteps } from "../steps/session-steps.js";
import { MOST_LISTED } from "../steps/session-steps.js";
import { timeOf } from "../time/time-account.js";
import type { CallRates } from "../usage/call-prices.js";
import type { SessionAnalysis } from "./session-analysis.js";
import type { CacheMissSummary, SessionSummary, SessionWaste } from "./session-summary.js";
import {
  countsOf,
  largestCalls,
  type RatesOfCall,
  ratesOfCalls,
  totalOf,
  totalsByAgent,
  totalsByModel,
  totalsByTurn,
} from "./summarise-calls.js";
import { summariseContexts } from "./summarise-contexts.js";

/** @param rates of each model call, in the order of the steps */
export function* summariseSession(
  analysis: SessionAnalysis,
  key: SessionKey,
  rates: CallRates,
): Generator<void, SessionSummary> {
  const errors = yield* analysis.errors();
  const steps = yield* analysis.steps();
  const ratesOf = ratesOfCalls(steps, rates);
  const contexts = yield* analysis.contexts();
  const contextsOfCalls = new Map<string, ContextOfCall>();
  for (const agent of contexts) for (const one of agent.contexts) contextsOfCalls.set(one.call.stepId, one);
  const misses = cacheMisses(steps, ({ stepId }) => contextsOfCalls.get(stepId), ratesOf);
  yield;
  const { context, carriedBySteps } = yield* summariseContexts(steps, contexts, ratesOf);
  yield;
  return {
    ...key,
    ...spanOf(steps),
    counts: countsOf(steps),
    diagnosis: diagnosisOf(errors, pricesOf(steps, ratesOf)),
    total: totalOf(steps.calls, ratesOf),
    models: totalsByModel(steps, ratesOf),
    agents: totalsByAgent(steps, ratesOf),
    turns: totalsByTurn(steps, ratesOf),
    largestCalls: largestCalls(steps, ratesOf),
    context,
    cacheMisses: summaryOfMisses(misses),
    time: timeOf(steps),
    waste: summaryOfWaste(steps, carriedBySteps),
    bytes: analysis.bytes.result(),
  };
}

export function pricesOf(
  { calls }: SessionSteps,
  ratesOf: RatesOfCall,
): (stepId: string) => number | undefined {
  const callsById = new Map(calls.map((call) => [call.stepId, call]));
  return (stepId) => {
    const call = callsById.get(stepId);
    const cost = call && costOfCall(call, ratesOf(call));
    return cost === undefined || cost.unpricedCalls > 0 ? undefined : cost.usd;
  };
}

export function spanOf({ from, to }: SessionSteps): {
  readonly startedAt?: string;
  readonly endedAt?: string;
} {
  return to === 0 ? {} : { startedAt: new Date(from).toISOString(), endedAt: new Date(to).toISOString() };
}

function summaryOfWaste(steps: SessionSteps, carriedBySteps: ReadonlyMap<string, Carried>): SessionWaste {
  const waste = wasteOf(steps);
  const carriedBy = (stepIds: Iterable<string>) => {
    const sum = new CarriedSum();
    for (const stepId of stepIds) {
      const carried = carriedBySteps.get(stepId);
      if (carried !== undefined) sum.add(carried);
    }
    return sum.result();
  };
  const failed = steps.tools.filter(({ error, isRefused }) => error !== undefined && !isRefused);
  const unchanged = new Set(waste.repeatedCalls.groups.flatMap(({ unchangedStepIds }) => unchangedStepIds));
  return {
    ...waste,
    failedCarried: carriedBy(failed.map(({ stepId }) => stepId)),
    unchangedCarried: carriedBy(unchanged),
  };
}

function summaryOfMisses(misses: readonly CacheMiss[]): CacheMissSummary {
  const causes = new Map<CacheMissCause, CacheMissSums>();
  let all = NO_MISSES;
  for (const miss of misses) {
    causes.set(miss.cause, addMiss(causes.get(miss.cause) ?? NO_MISSES, miss));
    all = addMiss(all, miss);
  }
  const byCause = [...causes].map(([cause, sums]) => ({ cause, ...sums }));
  return {
    ...all,
    byCause: byCause.sort((a, b) => b.tokens - a.tokens),
    calls: misses.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST_LISTED),
  };
}

type CacheMissSums = Omit<CacheMissSummary, "byCause" | "calls">;

const NO_MISSES: CacheMissSums = { count: 0, tokens: 0, usd: 0, unpricedTokens: 0 };

function addMiss(sum: CacheMissSums, { tokens, usd }: CacheMiss): CacheMissSums {
  return {
    count: sum.count + 1,
    tokens: sum.tokens + tokens,
    usd: sum.usd + (usd ?? 0),
    unpricedTokens: sum.unpricedTokens + (usd === undefined ? tokens : 0),
  };
}
