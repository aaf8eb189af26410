import type { TokenUsage } from "./token-usage.js";

/** All that the model read in one call: its context, as the vendor counted it. */
export function contextTokens(usage: TokenUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** The part of what a call read that a cache served, from 0 to 1; `undefined` where it read nothing. */
export function cacheShare(usage: TokenUsage): number | undefined {
  const read = contextTokens(usage);
  return read === 0 ? undefined : usage.cacheReadTokens / read;
}

/**
 * Estimates the tokens of a text that nobody counted, at four characters each. The page marks such numbers with ≈.
 */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}
