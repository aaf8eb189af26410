import { minutesIn } from "../facts/session-facts.js";
import { addUsage, NO_USAGE, type TokenUsage, totalTokens } from "../session/session.js";
import { addCost, type Cost, NO_COST } from "../usage/money.js";
import type { UsageTotals } from "./overview.js";
import type { UsedTokens } from "./usage-rows.js";

const MINUTE_MS = 60_000;

/** A sum over sessions, which are added one after the other. */
export class UsageSum {
  sessions = 0;
  cost: Cost = NO_COST;
  #usage: TokenUsage = NO_USAGE;
  #modelCalls = 0;
  #failedModelCalls = 0;
  #toolCalls = 0;
  #failedToolCalls = 0;
  /** The minutes in which something happened, by quarter hour. */
  readonly #minutes = new Map<number, number>();
  #last: object | undefined;

  /** @param session the one that what is added next is of */
  of(session: object): this {
    if (this.#last !== session) this.sessions++;
    this.#last = session;
    return this;
  }

  addRow({ usage, calls, failedCalls }: UsedTokens, cost: Cost): void {
    this.cost = addCost(this.cost, cost);
    this.#usage = addUsage(this.#usage, usage);
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

  get tokens(): number {
    return totalTokens(this.#usage);
  }

  /** @param isOfCalls whether it is of model calls alone, so that nothing is known of tools and times. Default is that it is not */
  result(isOfCalls = false): UsageTotals {
    let minutes = 0;
    for (const mask of this.#minutes.values()) minutes += minutesIn(mask);
    return {
      sessions: this.sessions,
      cost: this.cost,
      usage: this.#usage,
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

/** Sums by name, or by whatever else they are told apart. */
export class Groups<Group> {
  readonly #groups = new Map<string, Group>();
  readonly #begin: () => Group;

  constructor(begin: () => Group) {
    this.#begin = begin;
  }

  get(name: string): Group {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group = this.#begin();
    this.#groups.set(name, group);
    return group;
  }

  get entries(): [string, Group][] {
    return [...this.#groups];
  }
}

/** Which of two sums comes first: the dearer one, then the one with more tokens, then by name. */
export function byCost(
  [a, one]: readonly [string, Pick<UsageSum, "cost" | "tokens">],
  [b, other]: readonly [string, Pick<UsageSum, "cost" | "tokens">],
): number {
  return other.cost.usd - one.cost.usd || other.tokens - one.tokens || (a < b ? -1 : 1);
}
