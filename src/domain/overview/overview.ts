import type { SessionKey } from "../session/session-key.js";
import type { Cost } from "../usage/money.js";
import type { TokenUsage } from "../usage/token-usage.js";

/**
 * Response of the API. Money is in US dollars, durations are milliseconds, instants ISO 8601 in UTC. Lists are sorted by cost, then
 * tokens, unless stated otherwise, and end after `MOST_LISTED_ROWS`; sums cover everything.
 */
export interface Overview {
  readonly range: OverviewRange;
  readonly coverage: OverviewCoverage;
  readonly total: UsageTotals;
  /** The previous range of the same length; absent if the range has no beginning. */
  readonly previous?: UsageTotals;
  /** The month is that of `now`. Absent without spending in it. */
  readonly pace?: Pace;
  /** Times are in order, without gaps; names are by cost. */
  readonly rows: readonly OverviewRow[];
  readonly projects: readonly NamedTotals[];
  readonly models: readonly NamedTotals[];
  readonly users: readonly NamedTotals[];
  readonly sources: readonly NamedTotals[];
  /** Sub-agents; the main agent is `""`. */
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

export const STACKINGS = ["model", "project", "source"] as const;
export type Stacking = (typeof STACKINGS)[number];

export interface OverviewRange {
  /** Inclusive; absent for everything before `to`. */
  readonly from?: string;
  /** Exclusive. */
  readonly to: string;
  /** Name in the IANA database. */
  readonly zone: string;
  readonly by: Grouping;
  readonly stack: Stacking;
}

export interface OverviewCoverage {
  /** Sessions with activity in the range. */
  readonly sessions: number;
  /** More than 0: the client must ask again. */
  readonly unread: number;
  /** Part of `sessions`: no facts about tools, failures and times. */
  readonly withoutFacts: number;
  /** Part of `sessions`. */
  readonly withoutCounts: number;
  /** Part of `sessions`: some model calls have no price. */
  readonly partlyPriced: number;
  /** Sessions for which the filter is undecided: no sum includes them. */
  readonly undecided: number;
  /** Sessions that are dated after now: no sum includes that part of them. Absent without such sessions. */
  readonly inFuture?: number;
}

export interface UsageTotals {
  readonly sessions: number;
  readonly cost: Cost;
  readonly usage: TokenUsage;
  /** Sum of all four classes. */
  readonly tokens: number;
  readonly modelCalls: number;
  readonly failedModelCalls: number;
  /** Absent in sums by model and by role. */
  readonly toolCalls?: number;
  readonly failedToolCalls?: number;
  /** Minutes with recorded activity. Absent as `toolCalls`. */
  readonly activeMs?: number;
}

export interface NamedTotals extends UsageTotals {
  /** `""` without a name. */
  readonly name: string;
  /** Filter that selects these sessions. Absent if none can. */
  readonly filter?: string;
}

export interface OverviewRow extends NamedTotals {
  /** Only for rows of times. */
  readonly from?: string;
  readonly to?: string;
  /** By `range.stack`; `…` sums up the smallest ones. */
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
  readonly spentUsd: number;
  /** Projection for the end of the month. */
  readonly usd: number;
  /** Start of the projection's basis: seven days before now. */
  readonly since: string;
  readonly usdPerDay: number;
}

export interface ToolTotals {
  readonly name: string;
  readonly filter?: string;
  readonly calls: number;
  /** Excludes refused calls. */
  readonly failures: number;
  readonly refused: number;
  readonly sessions: number;
  /** Precision: a tenth. Absent if no end is recorded. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** The previous range. */
  readonly previous?: {
    readonly calls: number;
    readonly failures: number;
    readonly p50Ms?: number;
    readonly p95Ms?: number;
  };
  /** Estimated tokens that their results added to contexts. */
  readonly resultTokens: number;
  /** Estimated tokens of results that calls read, with repetitions. */
  readonly carriedTokens: number;
  /** Estimate. Absent without a price. */
  readonly carriedUsd?: number;
}

export interface FailureGroup {
  /** Error text by `causeOf`. */
  readonly cause: string;
  readonly filter?: string;
  /** Absent for a failure outside of tool calls. */
  readonly tool?: string;
  readonly count: number;
  readonly sessions: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** The session with the latest occurrence. */
  readonly last: SessionKey;
}

export interface SessionTotals extends UsageTotals, SessionKey {
  readonly title?: string;
  readonly lastActive: string;
}

export interface CallTotalsOfSession extends SessionKey {
  readonly title?: string;
  readonly at: string;
  readonly model: string;
  readonly role: string;
  readonly contextTokens: number;
  readonly outputTokens: number;
  readonly cost: Cost;
}

export interface Concurrency {
  readonly peakSessions: number;
  readonly peakAgents: number;
  readonly peakAt?: string;
  readonly pointMs: number;
  /** Maximum of each time, at most 200 points; times without activity have no point. */
  readonly points: readonly { readonly at: string; readonly sessions: number; readonly agents: number }[];
}
