import { QUARTER_MS, type SessionFacts } from "../facts/session-facts.js";
import type { ListedSession } from "../session/model-usage.js";
import { hasNoCounts } from "../session/session.js";
import { instantOf } from "../trace/instant.js";
import { type Cost, costOfUsage, NO_COST, type PricedCall, type TokenRates } from "../usage/money.js";
import type { TokenUsage } from "../usage/token-usage.js";

export interface UsedTokens {
  /** Approximate, in milliseconds since the epoch. */
  readonly at: number;
  readonly model: string;
  readonly provider: string | undefined;
  readonly role: string;
  readonly calls: number;
  readonly failedCalls: number;
  readonly placeholderCalls: number;
  readonly contextTokens: number;
  readonly usage: TokenUsage & { readonly cacheWrite1hTokens: number };
  readonly recordedUsd: number | undefined;
  /** Only if the source states it. */
  readonly cost?: Cost;
}

/** Rows are quarter hours if available, otherwise the source's sums. */
export function* usageRowsOf(session: ListedSession): Generator<UsedTokens, void> {
  const { facts, usageByModel, tokens } = session;
  // The list wins: a log may count calls that no trace contains.
  const isComplete = facts !== undefined && (usageByModel === undefined || tokensOf(facts) === tokens);
  if (isComplete) yield* rowsOfFacts(facts);
  else if (usageByModel !== undefined) {
    for (const { model = "", provider, at, calls, placeholderCalls = 0, ...used } of usageByModel) {
      const { contextTokens, recordedUsd } = used;
      const usage = { cacheWrite1hTokens: 0, ...used.usage };
      yield {
        at,
        model,
        provider,
        role: "",
        calls,
        failedCalls: 0,
        placeholderCalls,
        contextTokens,
        usage,
        recordedUsd,
      };
    }
  } else if (!hasNoCounts(session)) yield rowOfSession(session);
}

function tokensOf({ usage }: SessionFacts): number {
  let tokens = 0;
  for (let i = 0; i < usage.quarter.length; i++) {
    tokens += (usage.inputTokens[i] ?? 0) + (usage.outputTokens[i] ?? 0);
    tokens += (usage.cacheReadTokens[i] ?? 0) + (usage.cacheWriteTokens[i] ?? 0);
  }
  return tokens;
}

export function* rowsOfFacts({ usage, models, roles }: SessionFacts): Generator<UsedTokens, void> {
  for (const [i, quarter] of usage.quarter.entries()) {
    const { model = "", provider } = models[usage.model[i]!] ?? {};
    const recorded = usage.recordedUsd[i] ?? -1;
    yield {
      at: quarter * QUARTER_MS,
      model,
      provider,
      role: roles[usage.role[i]!] ?? "",
      calls: usage.calls[i] ?? 0,
      failedCalls: usage.failedCalls[i] ?? 0,
      placeholderCalls: usage.placeholderCalls[i] ?? 0,
      contextTokens: usage.contextTokens[i] ?? 0,
      usage: {
        inputTokens: usage.inputTokens[i] ?? 0,
        outputTokens: usage.outputTokens[i] ?? 0,
        cacheReadTokens: usage.cacheReadTokens[i] ?? 0,
        cacheWriteTokens: usage.cacheWriteTokens[i] ?? 0,
        cacheWrite1hTokens: usage.cacheWrite1hTokens[i] ?? 0,
      },
      recordedUsd: recorded < 0 ? undefined : recorded,
    };
  }
}

/** The source has only a sum: the number of calls is unavailable. */
function rowOfSession({ lastActive, model = "", tokens, usage, cost }: ListedSession): UsedTokens {
  const counted = usage ?? { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    at: instantOf(lastActive) ?? 0,
    model,
    provider: undefined,
    role: "",
    calls: 0,
    failedCalls: 0,
    placeholderCalls: 0,
    contextTokens: 0,
    usage: { cacheWrite1hTokens: 0, ...counted },
    recordedUsd: undefined,
    ...(cost === undefined ? {} : { cost }),
  };
}

export function needsRates(row: UsedTokens): boolean {
  return row.cost === undefined && row.recordedUsd === undefined && row.model !== "" && tokensIn(row) > 0;
}

export function pricedCallOf({ model, provider, at, contextTokens }: UsedTokens): PricedCall {
  return { model, provider, at, contextTokens };
}

export function costOfRow(row: UsedTokens, rates: TokenRates | undefined): Cost {
  const { cost, recordedUsd, usage, calls, placeholderCalls } = row;
  if (cost !== undefined) return cost;
  const tokens = tokensIn(row);
  if (recordedUsd !== undefined)
    return withPlaceholders({ ...NO_COST, usd: recordedUsd, recordedUsd }, placeholderCalls);
  if (tokens === 0) return NO_COST;
  if (rates === undefined) return { ...NO_COST, unpricedCalls: Math.max(1, calls), unpricedTokens: tokens };
  return withPlaceholders({ ...NO_COST, usd: costOfUsage(usage, rates) }, placeholderCalls);
}

function withPlaceholders(cost: Cost, placeholderCalls: number): Cost {
  return placeholderCalls === 0 ? cost : { ...cost, placeholderCalls };
}

export function tokensIn({ usage }: UsedTokens): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
