import { QUARTER_MS, type SessionFacts } from "../facts/session-facts.js";
import { FirstOnes } from "../lists/first-ones.js";
import type { ListedSession } from "../session/model-usage.js";
import { compareSessions, hasNoCounts } from "../session/session.js";
import { formatInstant, instantOf } from "../trace/instant.js";
import { dayText } from "../trace/time-zone.js";
import type { Cost } from "../usage/money.js";
import { ConcurrencyCount } from "./concurrency.js";
import { FailureSums } from "./failure-sums.js";
import { LargestCalls } from "./largest-calls.js";
import { NamedSums } from "./named-sums.js";
import { MOST_LISTED_ROWS, type Overview, type OverviewCoverage } from "./overview.js";
import { DAY_MS, monthOf, type OverviewScope } from "./overview-scope.js";
import { RowSums } from "./row-sums.js";
import { type RatesAt, ToolSums } from "./tool-sums.js";
import { costOfRow, needsRates, type UsedTokens, usageRowsOf } from "./usage-rows.js";
import { UsageSum } from "./usage-sum.js";

export class OverviewBuilder {
  readonly #scope: OverviewScope;
  readonly #ratesAt: RatesAt;
  readonly #total = new UsageSum();
  readonly #previous = new UsageSum();
  readonly #named = new NamedSums();
  readonly #rows: RowSums;
  readonly #tools = new ToolSums();
  readonly #failures = new FailureSums();
  readonly #concurrency = new ConcurrencyCount();
  readonly #calls: LargestCalls;
  readonly #sessions = new FirstOnes<SummedSession>(MOST_LISTED_ROWS, compareSums);
  readonly #future: number;
  readonly #month: { readonly from: number; readonly to: number };
  #spentInMonth = 0;
  #spentInWeek = 0;
  #withoutFacts = 0;
  #withoutCounts = 0;
  #partlyPriced = 0;
  #inFuture = 0;

  constructor(scope: OverviewScope, ratesAt: RatesAt) {
    this.#scope = scope;
    this.#ratesAt = ratesAt;
    this.#rows = new RowSums(scope);
    this.#calls = new LargestCalls(ratesAt);
    this.#month = monthOf(scope);
    this.#future = Math.max(scope.to, Math.ceil(scope.now / QUARTER_MS) * QUARTER_MS);
  }

  add(session: ListedSession): void {
    const { facts } = session;
    const now = new UsageSum();
    const before = new UsageSum();
    for (const row of usageRowsOf(session)) this.#addRow(session, row, now, before);
    if (facts !== undefined) this.#addFacts(session, facts, now, before);
    const lastActive = instantOf(session.lastActive);
    if (lastActive !== undefined && lastActive >= this.#future) this.#inFuture++;
    // A session without recorded instants has the time of its files.
    const hasTimes = facts !== undefined && facts.activity.quarter.length > 0;
    if (!hasTimes && lastActive !== undefined && this.#isNow(lastActive) === true) {
      now.of(session);
      this.#rows.touch(session, lastActive);
    }
    if (before.sessions > 0) this.#previous.of(session).addSum(before);
    if (now.sessions === 0) return;
    for (const sum of [this.#total, ...this.#named.sumsOf(session)]) sum.of(session).addSum(now);
    this.#sessions.add({ session, totals: now });
    if (facts === undefined) this.#withoutFacts++;
    if (hasNoCounts(session)) this.#withoutCounts++;
    if (now.cost.unpricedCalls > 0) this.#partlyPriced++;
  }

  result(): Omit<Overview, "coverage"> & {
    readonly coverage: Omit<OverviewCoverage, "unread" | "undecided">;
  } {
    const { from, to, zone, by, stack } = this.#scope;
    const tools = this.#tools.result();
    const pace = this.#pace();
    return {
      range: {
        ...(from === undefined ? {} : { from: formatInstant(from) }),
        to: formatInstant(to),
        zone: zone.name,
        by,
        stack,
      },
      coverage: {
        sessions: this.#total.sessions,
        withoutFacts: this.#withoutFacts,
        withoutCounts: this.#withoutCounts,
        partlyPriced: this.#partlyPriced,
        ...(this.#inFuture === 0 ? {} : { inFuture: this.#inFuture }),
      },
      total: this.#total.result(),
      ...(from === undefined ? {} : { previous: this.#previous.result() }),
      ...(pace === undefined ? {} : { pace }),
      rows: by === "tool" ? this.#rows.ofTools(tools) : this.#rows.result(),
      ...this.#named.result(),
      tools: tools.slice(0, MOST_LISTED_ROWS),
      failures: this.#failures.result().slice(0, MOST_LISTED_ROWS),
      largestSessions: this.#largestSessions(),
      largestCalls: this.#calls.result(),
      concurrency: this.#concurrency.result(),
    };
  }

  /** False for an instant in the previous range; `undefined` outside of both. */
  readonly #isNow = (at: number): boolean | undefined => {
    const { from = Number.NEGATIVE_INFINITY, to } = this.#scope;
    if (at >= to) return undefined;
    if (at >= from) return true;
    return at >= from - (to - from) ? false : undefined;
  };

  #addRow(session: ListedSession, row: UsedTokens, now: UsageSum, before: UsageSum): void {
    const at = Math.floor(row.at / QUARTER_MS) * QUARTER_MS;
    const rates = needsRates(row) ? this.#ratesAt(row) : undefined;
    const cost = costOfRow(row, rates);
    this.#addSpent(row.at, cost);
    const isNow = this.#isNow(at);
    if (isNow === false) before.of(session).addRow(row, cost);
    if (isNow !== true) return;
    now.of(session).addRow(row, cost);
    for (const sum of this.#named.sumsOfCalls(row)) sum.of(session).addRow(row, cost);
    this.#rows.addRow(session, row, at, cost);
  }

  #addSpent(at: number, { usd }: Cost): void {
    const { now } = this.#scope;
    if (at >= now) return;
    if (at >= this.#month.from) this.#spentInMonth += usd;
    if (at >= now - 7 * DAY_MS) this.#spentInWeek += usd;
  }

  #addFacts(session: ListedSession, facts: SessionFacts, now: UsageSum, before: UsageSum): void {
    const { activity, toolUse } = facts;
    for (const [i, quarter] of activity.quarter.entries()) {
      const isNow = this.#isNow(quarter * QUARTER_MS);
      if (isNow === undefined) continue;
      const minutes = activity.minutes[i] ?? 0;
      (isNow ? now : before).of(session).addMinutes(quarter, minutes);
      if (isNow) this.#rows.addMinutes(session, quarter, minutes);
    }
    for (const [i, quarter] of toolUse.quarter.entries()) {
      const isNow = this.#isNow(quarter * QUARTER_MS);
      if (isNow === undefined) continue;
      const [calls, failures] = [toolUse.calls[i] ?? 0, toolUse.failures[i] ?? 0];
      (isNow ? now : before).of(session).addTools(calls, failures);
      if (isNow) this.#rows.addTools(session, quarter, calls, failures);
    }
    this.#tools.add(facts, this.#isNow, this.#ratesAt);
    this.#failures.add(session, facts, this.#isNow);
    this.#concurrency.add(facts, this.#isNow);
    this.#calls.add(session, facts, this.#isNow);
  }

  #largestSessions() {
    return this.#sessions.items.map(({ session: { tenantId, sessionId, title, lastActive }, totals }) => ({
      tenantId,
      sessionId,
      ...(title === undefined ? {} : { title }),
      lastActive,
      ...totals.result(),
    }));
  }

  #pace() {
    const { now, zone } = this.#scope;
    if (this.#spentInMonth === 0 && this.#spentInWeek === 0) return undefined;
    const usdPerDay = this.#spentInWeek / 7;
    const usd = this.#spentInMonth + (usdPerDay * (this.#month.to - now)) / DAY_MS;
    const month = dayText(zone.dayOf(this.#month.from)).slice(0, 7);
    return { month, spentUsd: this.#spentInMonth, usd, since: formatInstant(now - 7 * DAY_MS), usdPerDay };
  }
}

interface SummedSession {
  readonly session: ListedSession;
  readonly totals: UsageSum;
}

function compareSums(a: SummedSession, b: SummedSession): number {
  const { totals: one } = a;
  const { totals: other } = b;
  return other.usd - one.usd || other.tokens - one.tokens || compareSessions(a.session, b.session);
}
