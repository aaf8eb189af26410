import {
  addUsage,
  NO_USAGE,
  subtractUsage,
  type TokenUsage,
  totalTokens,
} from "../../../domain/usage/token-usage.js";

export interface ReportedTotal {
  readonly model: string;
  readonly usage: TokenUsage;
  /** As recorded: totals with the same start continue one another; without a start they do not. */
  readonly since: unknown;
}

export interface UncountedUsage {
  readonly usage: TokenUsage;
  readonly callId: string | undefined;
}

interface CountedCall {
  readonly model: string | undefined;
  readonly usage: TokenUsage;
}

/**
 * Compares totals with the calls before them, so that no usage counts twice. The rest remains, because calls record only some of their
 * tokens.
 */
export class ReportedTotals {
  #calls = new Map<string, CountedCall>();
  readonly #totals = new Map<string, ReportedTotal>();

  /** The largest usage of a call counts. */
  count(callId: string, model: string | undefined, usage: TokenUsage): void {
    const before = this.#calls.get(callId)?.usage ?? NO_USAGE;
    if (totalTokens(usage) >= totalTokens(before)) this.#calls.set(callId, { model, usage });
  }

  /** @returns the uncounted usage per total; `undefined` for none */
  close(totals: readonly ReportedTotal[]): readonly (UncountedUsage | undefined)[] {
    const calls = this.#calls;
    this.#calls = new Map();
    return totals.map((total) => {
      const own = [...calls].filter(([, { model }]) => model === total.model || totals.length === 1);
      const last = this.#totals.get(total.model);
      this.#totals.set(total.model, total);
      const goesOn =
        total.since !== undefined &&
        last?.since === total.since &&
        totalTokens(last!.usage) <= totalTokens(total.usage);
      const grown = goesOn ? subtractUsage(total.usage, last!.usage) : total.usage;
      const rest = subtractUsage(grown, own.map(([, { usage }]) => usage).reduce(addUsage, NO_USAGE));
      if (totalTokens(rest) === 0) return undefined;
      const [only] = own.length === 1 ? own : [];
      return { usage: addUsage(rest, only?.[1].usage ?? NO_USAGE), callId: only?.[0] };
    });
  }
}
