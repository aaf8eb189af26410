import type { Cost } from "../usage/money.js";
import type { TokenUsage } from "../usage/token-usage.js";

/**
 * Activity and cost of many sessions, exactly as the API answers them. Money is in US dollars, and tokens without a price are counted
 * separately (`Cost`); durations are milliseconds, instants ISO 8601 in UTC. Activity counts in the range of its instant: a session that
 * began earlier counts from the start of the range. Lists are sorted by cost, then tokens, unless stated otherwise, and end after
 * `MOST_LISTED_ROWS`; sums cover everything.
 */
export interface Overview {
  readonly range: OverviewRange;
  readonly coverage: OverviewCoverage;
  readonly total: UsageTotals;
  /** The same of the range before, which is as long; absent where the range has no beginning. */
  readonly previous?: UsageTotals;
  /** Projected cost of the month of `now`. Absent without spending in it. */
  readonly pace?: Pace;
  /** By the requested grouping: times in their order, without gaps; names by cost. */
  readonly rows: readonly OverviewRow[];
  readonly projects: readonly NamedTotals[];
  readonly models: readonly NamedTotals[];
  readonly users: readonly NamedTotals[];
  readonly sources: readonly NamedTotals[];
  /** Of sub-agents, and of the main agent, which is `""`. */
  readonly roles: readonly NamedTotals[];
  /** Most calls first. */
  readonly tools: readonly ToolTotals[];
  /** Most failures first. */
  readonly failures: readonly FailureGroup[];
  readonly largestSessions: readonly SessionTotals[];
  readonly largestCalls: readonly CallTotalsOfSession[];
  readonly concurrency: Concurrency;
  /** Unreadable parts that may hide sessions. Absent without warnings. */
  readonly warnings?: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
}

export const MOST_LISTED_ROWS = 100;

/** Maximum number of rows; further names share one row, `…`. */
export const MOST_ROWS = 1_000;

/** By what rows are made. */
export const GROUPINGS = [
  "day",
  "week",
  "month",
  "hour",
  "project",
  "tenant",
  "model",
  "user",
  "source",
  "tool",
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Stacked parts of the rows. */
export const STACKINGS = ["model", "project", "source"] as const;
export type Stacking = (typeof STACKINGS)[number];

export interface OverviewRange {
  /** Of what is counted, the first instant; absent where all is. */
  readonly from?: string;
  /** The first instant after it. */
  readonly to: string;
  /** By whose days, weeks and months: a name of the IANA database. */
  readonly zone: string;
  readonly by: Grouping;
  readonly stack: Stacking;
}

/** Coverage of the sums. */
export interface OverviewCoverage {
  /** Sessions that did something in the range, as far as they are read. */
  readonly sessions: number;
  /** Sessions that are not read yet: ask again. */
  readonly unread: number;
  /** Sessions of `sessions` without facts about their tools, failures and times. */
  readonly withoutFacts: number;
  /** Sessions of `sessions` without counted tokens. */
  readonly withoutCounts: number;
  /** Of `sessions`, those with model calls that have no price. */
  readonly partlyPriced: number;
  /** Sessions for which the filter is undecided: no sum includes them. */
  readonly undecided: number;
}

export interface UsageTotals {
  readonly sessions: number;
  readonly cost: Cost;
  readonly usage: TokenUsage;
  /** All four classes. */
  readonly tokens: number;
  readonly modelCalls: number;
  readonly failedModelCalls: number;
  /** Absent where sums are of model calls alone: by model, and by role. */
  readonly toolCalls?: number;
  readonly failedToolCalls?: number;
  /** Time with at least one active session: minutes with recorded activity. Absent like these. */
  readonly activeMs?: number;
}

export interface NamedTotals extends UsageTotals {
  /** `""` where nobody named it. */
  readonly name: string;
  /** The filter that means these sessions. Absent where no filter does. */
  readonly filter?: string;
}

export interface OverviewRow extends NamedTotals {
  /** Of a time. */
  readonly from?: string;
  readonly to?: string;
  /** By `range.stack`; the smallest ones together under the name `…`. */
  readonly parts: readonly RowPart[];
}

export interface RowPart {
  readonly name: string;
  readonly usd: number;
  readonly tokens: number;
  readonly sessions: number;
}

export interface Pace {
  /** Such as `2026-11`. */
  readonly month: string;
  /** Spending so far. */
  readonly spentUsd: number;
  /** Projected spending at the end of the month. */
  readonly usd: number;
  /** By what was spent a day since then: seven days before now. */
  readonly since: string;
  readonly usdPerDay: number;
}

export interface ToolTotals {
  readonly name: string;
  readonly filter?: string;
  readonly calls: number;
  /** Without those that a person refused. */
  readonly failures: number;
  readonly refused: number;
  readonly sessions: number;
  /** Within a tenth. Absent where no end is recorded. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** Of the range before. */
  readonly previous?: {
    readonly calls: number;
    readonly failures: number;
    readonly p50Ms?: number;
    readonly p95Ms?: number;
  };
  /** About how many tokens their results put into contexts. */
  readonly resultTokens: number;
  /** About how many tokens of them calls read, again and again. */
  readonly carriedTokens: number;
  /** Estimated cost of these tokens. Absent without a price. */
  readonly carriedUsd?: number;
}

export interface FailureGroup {
  /** The text of the errors, without ids and paths. */
  readonly cause: string;
  readonly filter?: string;
  /** Absent where it was no tool call. */
  readonly tool?: string;
  readonly count: number;
  readonly sessions: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** The session with the latest occurrence. */
  readonly last: { readonly tenantId: string; readonly sessionId: string };
}

export interface SessionTotals extends UsageTotals {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly title?: string;
  readonly lastActive: string;
}

export interface CallTotalsOfSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly title?: string;
  readonly at: string;
  readonly model: string;
  readonly role: string;
  readonly contextTokens: number;
  readonly outputTokens: number;
  readonly cost: Cost;
}

/** Number of sessions and agents that were active at the same time. */
export interface Concurrency {
  readonly peakSessions: number;
  readonly peakAgents: number;
  readonly peakAt?: string;
  /** Duration of each point. */
  readonly pointMs: number;
  /** At most 200 points with the maximum of their time; times without activity have no point. */
  readonly points: readonly { readonly at: string; readonly sessions: number; readonly agents: number }[];
}
