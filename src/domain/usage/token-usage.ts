import { countOf } from "../json/json.js";

/** Tokens by class. `inputTokens` are those that no cache served. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Those of `cacheWriteTokens` that were written for an hour, where it is recorded: they cost more. */
  readonly cacheWrite1hTokens?: number;
}

/** The classes whose sum is all tokens. */
export type TokenClass = "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens";

export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** Usage whose counts nobody has checked: what is missing, or no number, counts as 0. */
export function usageOf(usage: { readonly [Class in keyof TokenUsage]?: unknown }): TokenUsage {
  const cacheWriteTokens = countOf(usage.cacheWriteTokens);
  const cacheWrite1hTokens = Math.min(countOf(usage.cacheWrite1hTokens), cacheWriteTokens);
  const inputTokens = countOf(usage.inputTokens);
  const outputTokens = countOf(usage.outputTokens);
  const cacheReadTokens = countOf(usage.cacheReadTokens);
  // Spelled out twice: to spread an object is slow, and there are as many as calls.
  if (cacheWrite1hTokens === 0) return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens };
}

/** The sum of two; a class that leaves the range of counts stays at its end. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return usageOf({
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    cacheWrite1hTokens: (a.cacheWrite1hTokens ?? 0) + (b.cacheWrite1hTokens ?? 0),
  });
}

/** The part of `a` that exceeds `b`, class by class, without `cacheWrite1hTokens`. */
export function subtractUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return usageOf({
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    cacheReadTokens: a.cacheReadTokens - b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens - b.cacheWriteTokens,
  });
}

/** All classes together, within the range of counts. */
export function totalTokens(usage: TokenUsage): number {
  return countOf(usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens);
}
