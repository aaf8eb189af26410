import { CallSum, type CallTotals, costOfCall, NO_CALLS } from "../cost/call-totals.js";
import { MOST_LISTED, type ModelCall, type SessionSteps } from "../steps/session-steps.js";
import { type CallColumns, type CallRates, callColumns } from "../usage/call-prices.js";
import { costOfUsage, scaledRates, type TokenRates } from "../usage/money.js";
import { contextTokens } from "../usage/token-counts.js";
import type { AgentTotals, CallFigures, ModelTotals, SessionCounts, TurnTotals } from "./session-summary.js";

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
  const ratesByCall = new Map<ModelCall, TokenRates | undefined>();
  for (const [i, call] of calls.entries()) ratesByCall.set(call, paidRates(call, rates[rateOf[i]!]));
  return (call) => ratesByCall.get(call);
}

/** The prices of a call with a recorded cost add up to that cost. */
function paidRates({ usage, recordedUsd }: ModelCall, rates: TokenRates | undefined): TokenRates | undefined {
  if (rates === undefined || usage === undefined || recordedUsd === undefined) return rates;
  const scale = recordedUsd / costOfUsage(usage, rates);
  return Number.isFinite(scale) ? scaledRates(rates, scale) : rates;
}

export type RatesOfCall = (call: ModelCall) => TokenRates | undefined;

export function countsOf(steps: SessionSteps): SessionCounts {
  const failedTools = steps.tools.filter(({ error, isRefused }) => error !== undefined && !isRefused);
  return {
    turns: steps.turns.filter(({ agentId, isPrompt: isPrompted }) => agentId === "" && isPrompted).length,
    modelCalls: steps.calls.length,
    toolCalls: steps.tools.length,
    agents: steps.agents.length,
    compactions: steps.compactions.length,
    failedModelCalls: steps.calls.filter(({ error }) => error !== undefined).length,
    failedToolCalls: failedTools.length,
    refusedToolCalls: steps.tools.filter(({ isRefused }) => isRefused).length,
  };
}

export function totalOf(calls: readonly ModelCall[], ratesOf: RatesOfCall): CallTotals {
  const sum = new CallSum();
  for (const call of calls) sum.add(call, costOfCall(call, ratesOf(call)));
  return sum.result();
}

export function totalsByModel({ calls }: SessionSteps, ratesOf: RatesOfCall): readonly ModelTotals[] {
  const sums = sumsBy(calls, ({ model = "" }) => model, ratesOf);
  return largest([...sums].map(([model, total]) => ({ model, ...total })));
}

export function totalsByAgent(steps: SessionSteps, ratesOf: RatesOfCall): readonly AgentTotals[] {
  const sums = sumsBy(steps.calls, ({ agentId }) => agentId, ratesOf);
  const tools = new Map<string, number>();
  for (const { agentId } of steps.tools) tools.set(agentId, (tools.get(agentId) ?? 0) + 1);
  const names = new Map(steps.agents.map(({ agentId, name }) => [agentId, name]));
  const ids = new Set([...sums.keys(), ...tools.keys(), ...names.keys()]);
  return largest(
    [...ids].map((agentId) => ({
      agentId,
      name: names.get(agentId) ?? agentId,
      toolCalls: tools.get(agentId) ?? 0,
      ...(sums.get(agentId) ?? NO_CALLS),
    })),
  );
}

export function totalsByTurn(steps: SessionSteps, ratesOf: RatesOfCall): readonly TurnTotals[] {
  const sums = sumsBy(steps.calls, ({ turnId = "" }) => turnId, ratesOf);
  return largest(
    steps.turns.map(({ stepId, agentId, prompt, at, endAt }) => ({
      stepId,
      agentId,
      prompt,
      wholeMs: endAt - at,
      ...(sums.get(stepId) ?? NO_CALLS),
    })),
  );
}

export function largestCalls({ calls }: SessionSteps, ratesOf: RatesOfCall): readonly CallFigures[] {
  const figures = calls.map((call) => ({
    stepId: call.stepId,
    agentId: call.agentId,
    model: call.model ?? "",
    contextTokens: call.usage === undefined ? 0 : contextTokens(call.usage),
    outputTokens: call.usage?.outputTokens ?? 0,
    cost: costOfCall(call, ratesOf(call)),
    ms: call.endAt - call.at,
  }));
  return figures
    .sort((a, b) => b.cost.usd - a.cost.usd || b.contextTokens - a.contextTokens)
    .slice(0, MOST_LISTED);
}

function sumsBy(
  calls: readonly ModelCall[],
  keyOf: (call: ModelCall) => string,
  ratesOf: RatesOfCall,
): Map<string, CallTotals> {
  const sums = new Map<string, CallSum>();
  for (const call of calls) {
    const key = keyOf(call);
    const sum = sums.get(key) ?? new CallSum();
    sums.set(key, sum);
    sum.add(call, costOfCall(call, ratesOf(call)));
  }
  return new Map([...sums].map(([key, sum]) => [key, sum.result()]));
}

function largest<T extends CallTotals>(totals: readonly T[]): readonly T[] {
  const tokens = ({ usage }: CallTotals) => contextTokens(usage) + usage.outputTokens;
  return totals.toSorted((a, b) => b.cost.usd - a.cost.usd || tokens(b) - tokens(a)).slice(0, MOST_LISTED);
}
