import { NO_USAGE, type TokenUsage, totalTokens, usageOf } from "../../../domain/session/session.js";

/** Usage that a history reports as totals, which are repeated and may go on from those of another file. */
export class CumulativeUsage {
  #total: TokenUsage | undefined;

  /** Takes totals that others have been counted for already. */
  goOnFrom(total: TokenUsage): void {
    this.#total = total;
  }

  get isBegun(): boolean {
    return this.#total !== undefined;
  }

  /** What was used since the totals before; `undefined` for totals that are repeated. Lower ones are a new beginning. */
  since(total: TokenUsage): TokenUsage | undefined {
    const before = this.#total ?? NO_USAGE;
    this.#total = total;
    const isLess = totalTokens(total) < totalTokens(before);
    const used = isLess ? total : difference(total, before);
    return totalTokens(used) === 0 ? undefined : used;
  }
}

/** The first without the second. */
export function difference(a: TokenUsage, b: TokenUsage): TokenUsage {
  return usageOf({
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    cacheReadTokens: a.cacheReadTokens - b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens - b.cacheWriteTokens,
  });
}
