import { addUsage, NO_USAGE, type TokenUsage, totalTokens } from "../../../domain/usage/token-usage.js";

/** Usage of all calls of a model. */
export interface ReportedTotal {
  readonly model: string;
  readonly usage: TokenUsage;
  /** Start of the count, as the record states it: totals with the same start continue one another. */
  readonly since: unknown;
}

/** Usage in totals beyond the counted calls. */
export interface UncountedUsage {
  /** With what its call was counted with, where it is of one. */
  readonly usage: TokenUsage;
  /** The only call that it can be of. */
  readonly callId: string | undefined;
}

interface CountedCall {
  readonly model: string | undefined;
  readonly usage: TokenUsage;
}

/**
 * Holds totals against the calls before them, in histories that write both: never the one and the other are added. What the calls do not
 * say, because only some of their tokens are recorded, is left of the totals.
 */
export class ReportedTotals {
  /** Since the last totals, by the ids of their answers. */
  #calls = new Map<string, CountedCall>();
  readonly #totals = new Map<string, ReportedTotal>();

  /** Of several usages of one call the largest counts. */
  count(callId: string, model: string | undefined, usage: TokenUsage): void {
    const before = this.#calls.get(callId)?.usage ?? NO_USAGE;
    if (totalTokens(usage) >= totalTokens(before)) this.#calls.set(callId, { model, usage });
  }

  /** @returns for each of the totals what nothing before them counted; `undefined` where that is nothing */
  close(totals: readonly ReportedTotal[]): readonly (UncountedUsage | undefined)[] {
    const calls = this.#calls;
    this.#calls = new Map();
    return totals.map((total) => {
      const own = [...calls].filter(([, { model }]) => model === total.model || totals.length === 1);
      const last = this.#totals.get(total.model);
      this.#totals.set(total.model, total);
      const goesOn = last?.since === total.since && totalTokens(last!.usage) <= totalTokens(total.usage);
      const grown = goesOn ? difference(total.usage, last!.usage) : total.usage;
      const rest = difference(grown, own.map(([, { usage }]) => usage).reduce(addUsage, NO_USAGE));
      if (totalTokens(rest) === 0) return undefined;
      const [only] = own.length === 1 ? own : [];
      return { usage: addUsage(rest, only?.[1].usage ?? NO_USAGE), callId: only?.[0] };
    });
  }
}

function difference(a: TokenUsage, b: TokenUsage): TokenUsage {
  const less = (name: "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens") =>
    Math.max(0, a[name] - b[name]);
  return {
    inputTokens: less("inputTokens"),
    outputTokens: less("outputTokens"),
    cacheReadTokens: less("cacheReadTokens"),
    cacheWriteTokens: less("cacheWriteTokens"),
  };
}
