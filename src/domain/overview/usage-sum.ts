import { minutesIn } from "../facts/session-facts.js";
import type { Cost } from "../usage/money.js";
import type { UsageTotals } from "./overview.js";
import type { UsedTokens } from "./usage-rows.js";

const MINUTE_MS = 60_000;

export class UsageSum {
  sessions = 0;
  usd = 0;
  tokens = 0;
  unpricedCalls = 0;
  #recordedUsd = 0;
  #unpricedTokens = 0;
  #placeholderCalls = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #cacheReadTokens = 0;
  #cacheWriteTokens = 0;
  #cacheWrite1hTokens = 0;
  #modelCalls = 0;
  #failedModelCalls = 0;
  #toolCalls = 0;
  #failedToolCalls = 0;
  /** Bit masks by quarter hour. */
  readonly #minutes = new Map<number, number>();
  #last: object | undefined;

  /** Sets the session of the following additions; all additions of a session must be consecutive. */
  of(session: object): this {
    if (this.#last !== session) this.sessions++;
    this.#last = session;
    return this;
  }

  addRow({ usage, calls, failedCalls }: UsedTokens, cost: Cost): void {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage;
    this.usd += cost.usd;
    this.unpricedCalls += cost.unpricedCalls;
    this.#recordedUsd += cost.recordedUsd;
    this.#unpricedTokens += cost.unpricedTokens;
    this.#placeholderCalls += cost.placeholderCalls ?? 0;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    this.#cacheReadTokens += cacheReadTokens;
    this.#cacheWriteTokens += cacheWriteTokens;
    this.#cacheWrite1hTokens += cacheWrite1hTokens;
    this.tokens += inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
    this.#modelCalls += calls;
    this.#failedModelCalls += failedCalls;
  }

  addTools(calls: number, failures: number): void {
    this.#toolCalls += calls;
    this.#failedToolCalls += failures;
  }

  addMinutes(quarter: number, minutes: number): void {
    this.#minutes.set(quarter, (this.#minutes.get(quarter) ?? 0) | minutes);
  }

  /** Ignores the sessions of the other sum: {@link of} counts them. */
  addSum(other: UsageSum): void {
    this.usd += other.usd;
    this.unpricedCalls += other.unpricedCalls;
    this.#recordedUsd += other.#recordedUsd;
    this.#unpricedTokens += other.#unpricedTokens;
    this.#placeholderCalls += other.#placeholderCalls;
    this.#inputTokens += other.#inputTokens;
    this.#outputTokens += other.#outputTokens;
    this.#cacheReadTokens += other.#cacheReadTokens;
    this.#cacheWriteTokens += other.#cacheWriteTokens;
    this.#cacheWrite1hTokens += other.#cacheWrite1hTokens;
    this.tokens += other.tokens;
    this.#modelCalls += other.#modelCalls;
    this.#failedModelCalls += other.#failedModelCalls;
    this.addTools(other.#toolCalls, other.#failedToolCalls);
    for (const [quarter, minutes] of other.#minutes) this.addMinutes(quarter, minutes);
  }

  /** @param isOfCalls true omits tools and times. Default is false */
  result(isOfCalls = false): UsageTotals {
    let minutes = 0;
    for (const mask of this.#minutes.values()) minutes += minutesIn(mask);
    return {
      sessions: this.sessions,
      cost: {
        usd: this.usd,
        recordedUsd: this.#recordedUsd,
        unpricedCalls: this.unpricedCalls,
        unpricedTokens: this.#unpricedTokens,
        ...(this.#placeholderCalls === 0 ? {} : { placeholderCalls: this.#placeholderCalls }),
      },
      usage: {
        inputTokens: this.#inputTokens,
        outputTokens: this.#outputTokens,
        cacheReadTokens: this.#cacheReadTokens,
        cacheWriteTokens: this.#cacheWriteTokens,
        ...(this.#cacheWrite1hTokens === 0 ? {} : { cacheWrite1hTokens: this.#cacheWrite1hTokens }),
      },
      tokens: this.tokens,
      modelCalls: this.#modelCalls,
      failedModelCalls: this.#failedModelCalls,
      ...(isOfCalls
        ? {}
        : {
            toolCalls: this.#toolCalls,
            failedToolCalls: this.#failedToolCalls,
            activeMs: minutes * MINUTE_MS,
          }),
    };
  }
}

export class Groups<Group> {
  readonly #groups = new Map<string, Group>();
  readonly #begin: () => Group;

  constructor(begin: () => Group) {
    this.#begin = begin;
  }

  get(name: string): Group {
    const existing = this.#groups.get(name);
    if (existing !== undefined) return existing;
    const group = this.#begin();
    this.#groups.set(name, group);
    return group;
  }

  get entries(): [string, Group][] {
    return [...this.#groups];
  }
}

/** Higher cost first, then more tokens, then name. */
export function byCost(
  [a, one]: readonly [string, Pick<UsageSum, "usd" | "tokens">],
  [b, other]: readonly [string, Pick<UsageSum, "usd" | "tokens">],
): number {
  return other.usd - one.usd || other.tokens - one.tokens || (a < b ? -1 : 1);
}
