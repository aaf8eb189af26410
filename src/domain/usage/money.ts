import { countOf } from "../json/json.js";

/**
 * Prices of a model's tokens, by class: each in US dollars per token, not per million as in `ModelPrice`. 3 dollars per million tokens
 * are `3e-6`.
 */
export interface TokenRates {
  /** Tokens that no cache served. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Written to a cache for five minutes, or for the vendor's only lifetime. */
  readonly cacheWrite: number;
  /** Written to a cache for an hour. */
  readonly cacheWrite1h: number;
  /** No price, but beside them in lists: how many tokens a context of the model holds. Absent where the list does not say it. */
  readonly contextWindow?: number;
}

/** Inputs of a price. */
export interface PricedCall {
  readonly model: string;
  /** Who served the model, as recorded: `anthropic`, `openai`, `aws.bedrock`, … */
  readonly provider?: string | undefined;
  /** Milliseconds since the epoch: prices change. */
  readonly at: number;
  /** Tokens that the model read: some vendors charge more for long contexts. */
  readonly contextTokens: number;
}

/** @returns `undefined` for a model without a price; never 0 instead */
export type RatesOf = (call: PricedCall) => TokenRates | undefined;

/** Tokens by what they cost: a `TokenUsage`, which is made of them. */
export interface PricedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** A part of `cacheWriteTokens`. */
  readonly cacheWrite1hTokens?: number;
}

/** US dollars. */
export function costOfUsage(usage: PricedTokens, rates: TokenRates): number {
  const oneHour = Math.min(usage.cacheWrite1hTokens ?? 0, usage.cacheWriteTokens);
  return (
    usage.inputTokens * rates.input +
    usage.outputTokens * rates.output +
    usage.cacheReadTokens * rates.cacheRead +
    (usage.cacheWriteTokens - oneHour) * rates.cacheWrite +
    oneHour * rates.cacheWrite1h
  );
}

/** A sum of money that may not be all: what has no price is counted beside it. */
export interface Cost {
  /** US dollars of what has a price: recorded with the call, or by the table. */
  readonly usd: number;
  /** The part of `usd` that is recorded. */
  readonly recordedUsd: number;
  /** Model calls whose price nobody knows, and the tokens in them. */
  readonly unpricedCalls: number;
  readonly unpricedTokens: number;
  /**
   * Priced model calls whose output count is the placeholder from the start of their stream: their real output is longer and costs more.
   * Absent without such calls.
   */
  readonly placeholderCalls?: number;
}

/** True if `usd` is a lower bound: a part has no price, or was not counted completely. */
export function isLowerBound({ unpricedCalls, placeholderCalls = 0 }: Cost): boolean {
  return unpricedCalls > 0 || placeholderCalls > 0;
}

export const NO_COST: Cost = { usd: 0, recordedUsd: 0, unpricedCalls: 0, unpricedTokens: 0 };

export function addCost(a: Cost, b: Cost): Cost {
  const placeholderCalls = countOf((a.placeholderCalls ?? 0) + (b.placeholderCalls ?? 0));
  return {
    usd: a.usd + b.usd,
    recordedUsd: a.recordedUsd + b.recordedUsd,
    unpricedCalls: countOf(a.unpricedCalls + b.unpricedCalls),
    unpricedTokens: countOf(a.unpricedTokens + b.unpricedTokens),
    ...(placeholderCalls === 0 ? {} : { placeholderCalls }),
  };
}
