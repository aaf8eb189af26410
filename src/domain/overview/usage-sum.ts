import { minutesIn } from "../facts/session-facts.js";
import type { Cost } from "../usage/money.js";
import { UsageTally } from "../usage/usage-tally.js";
import type { UsageTotals } from "./overview.js";
import type { UsedTokens } from "./usage-rows.js";

const MINUTE_MS = 60_000;

export class UsageSum extends UsageTally {
  sessions = 0;
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
    this.addUsage(usage);
    this.addCost(cost);
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
    this.addTally(other);
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
      cost: this.cost,
      usage: this.usage,
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

/** Names that differ only in case share a group with the first of them, because filters ignore case. */
export class Groups<Group> {
  readonly #groups = new Map<string, readonly [name: string, Group]>();
  readonly #begin: () => Group;

  constructor(begin: () => Group) {
    this.#begin = begin;
  }

  get(name: string): Group {
    const existing = this.find(name);
    if (existing !== undefined) return existing;
    const group = this.#begin();
    this.#groups.set(name.toLowerCase(), [name, group]);
    return group;
  }

  find(name: string): Group | undefined {
    return this.#groups.get(name.toLowerCase())?.[1];
  }

  get entries(): (readonly [string, Group])[] {
    return [...this.#groups.values()];
  }
}

/** Higher cost first, then more tokens, then name. */
export function byCost(
  [a, one]: readonly [string, Pick<UsageSum, "usd" | "tokens">],
  [b, other]: readonly [string, Pick<UsageSum, "usd" | "tokens">],
): number {
  return other.usd - one.usd || other.tokens - one.tokens || (a < b ? -1 : 1);
}
