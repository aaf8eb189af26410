import type { TokenUsage } from "./token-usage.js";

/** Tokens of the context of a call, by the vendor's count. */
export function contextTokens(usage: TokenUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Share of cache reads, from 0 to 1; `undefined` if the call read nothing. */
export function cacheShare(usage: TokenUsage): number | undefined {
  const read = contextTokens(usage);
  return read === 0 ? undefined : usage.cacheReadTokens / read;
}

/** Four characters per token. The page marks such estimates with ≈. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}
