import { countOf } from "../json/json.js";

/** US dollars per token, not per million as in `ModelPrice`: 3 dollars per million tokens are `3e-6`. */
export interface TokenRates {
  /** Excludes tokens from a cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Lifetime of five minutes, or the vendor's only lifetime. */
  readonly cacheWrite: number;
  /** Lifetime of an hour. */
  readonly cacheWrite1h: number;
  /** Not a price: tokens that a context of the model holds. Absent if the list does not state it. */
  readonly contextWindow?: number;
}

export interface PricedCall {
  readonly model: string;
  /** As recorded: `anthropic`, `openai`, `aws.bedrock`, … */
  readonly provider?: string | undefined;
  /** Milliseconds since the epoch: prices change. */
  readonly at: number;
  /** Some vendors charge more for long contexts. */
  readonly contextTokens: number;
}

/** @returns `undefined` for a model without a price; never 0 instead */
export type RatesOf = (call: PricedCall) => TokenRates | undefined;

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

export function scaledRates(rates: TokenRates, scale: number): TokenRates {
  return {
    ...rates,
    input: rates.input * scale,
    output: rates.output * scale,
    cacheRead: rates.cacheRead * scale,
    cacheWrite: rates.cacheWrite * scale,
    cacheWrite1h: rates.cacheWrite1h * scale,
  };
}

/** A sum that may be incomplete: parts without a price are counted separately. */
export interface Cost {
  /** US dollars: recorded with the calls, or computed from prices. */
  readonly usd: number;
  /** Recorded part of `usd`. */
  readonly recordedUsd: number;
  /** Model calls without a price, and their tokens. */
  readonly unpricedCalls: number;
  readonly unpricedTokens: number;
  /** Priced calls whose counts are too small, such as those without input: their real cost is higher. Absent without such calls. */
  readonly placeholderCalls?: number;
}

/** A {@link Cost}, or a sum that counts only some of its missing parts. */
export type IncompleteSum = Pick<Cost, "usd"> &
  Partial<Pick<Cost, "unpricedCalls" | "unpricedTokens" | "placeholderCalls">>;

export function isUnpriced({ unpricedCalls = 0, unpricedTokens = 0 }: Omit<IncompleteSum, "usd">): boolean {
  return unpricedCalls > 0 || unpricedTokens > 0;
}

export function isLowerBound({ placeholderCalls = 0, ...missing }: IncompleteSum): boolean {
  return isUnpriced(missing) || placeholderCalls > 0;
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
