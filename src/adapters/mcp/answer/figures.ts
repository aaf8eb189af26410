import { type Cost, isLowerBound } from "../../../domain/usage/money.js";
import type { TokenUsage } from "../../../domain/usage/token-usage.js";
import { type Cell, own } from "./own-words.js";

export function usd(cost: Cost | undefined): Cell {
  if (cost === undefined) return undefined;
  const amount = cents(cost.usd);
  return isLowerBound(cost) ? own`≥${amount}` : amount;
}

export function cents(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}

export function seconds(ms: number | undefined): number | undefined {
  if (ms === undefined) return undefined;
  return ms < 60_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1_000);
}

export function tokenFields(usage: TokenUsage) {
  return {
    input: usage.inputTokens,
    cacheRead: usage.cacheReadTokens,
    cacheWrite: usage.cacheWriteTokens,
    output: usage.outputTokens,
  };
}
