import type { Cost } from "../usage/money.js";
import type { BytesAccount } from "./bytes-account.js";
import type { CacheMiss, CacheMissCause } from "./cache-misses.js";
import type { CallTotals } from "./call-totals.js";
import type { Carried } from "./carrying-cost.js";
import type { ContextItem } from "./context-item.js";
import type { Diagnosis } from "./session-diagnosis.js";
import type { TimeAccount } from "./time-account.js";
import type { Waste } from "./waste.js";

/**
 * The numbers of a session: an answer of the API as it is. Tokens of whole calls are what the vendor counted; those of a part of a
 * context are estimated, and scaled to that. Money is in US dollars; what has no price is counted beside a sum, and is no part of it.
 * Durations are milliseconds, instants ISO 8601 in UTC. `stepId`s are ids of envelopes, by which the trace finds a row; an `agentId` of
 * `""` is the main agent. Lists end after so many elements, largest first; sums are over all.
 */
export interface SessionSummary {
  readonly tenantId: string;
  readonly sessionId: string;
  /** Absent of a session without events. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly counts: SessionCounts;
  /** What went wrong: errors by their causes. */
  readonly diagnosis: Diagnosis;
  readonly total: CallTotals;
  readonly models: readonly ModelTotals[];
  readonly agents: readonly AgentTotals[];
  readonly turns: readonly TurnTotals[];
  /** The calls that cost most; those of the same cost by their tokens. */
  readonly largestCalls: readonly CallFigures[];
  readonly context: ContextSummary;
  readonly cacheMisses: CacheMissSummary;
  readonly time: TimeAccount;
  readonly waste: SessionWaste;
  /** What the records of its trace take, as the data source gives them. */
  readonly bytes: BytesAccount;
}

/** What was done in vain or again, and what it took in contexts. */
export interface SessionWaste extends Waste {
  /** The inputs and the errors of failed tool calls. */
  readonly failedCarried: Carried;
  /** The results that were the same as before, of the calls that are listed. */
  readonly unchangedCarried: Carried;
}

export interface SessionCounts {
  /** Of the main agent: requests of the user, as in the list of sessions. */
  readonly turns: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly agents: number;
  readonly compactions: number;
  readonly failedModelCalls: number;
  /** Without those that a person refused. */
  readonly failedToolCalls: number;
  readonly refusedToolCalls: number;
}

export interface ModelTotals extends CallTotals {
  /** As recorded; `""` where it is not. */
  readonly model: string;
}

export interface AgentTotals extends CallTotals {
  readonly agentId: string;
  /** `""` for the main agent. */
  readonly name: string;
  readonly toolCalls: number;
}

export interface TurnTotals extends CallTotals {
  readonly stepId: string;
  /** Whose turn it is: `""` for the main agent's. */
  readonly agentId: string;
  readonly prompt: string;
  /** From its beginning to its end. */
  readonly wholeMs: number;
}

export interface CallFigures {
  readonly stepId: string;
  readonly agentId: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly outputTokens: number;
  readonly cost: Cost;
  readonly ms: number;
}

/** What filled the contexts, and what that cost. */
export interface ContextSummary {
  /** One point a model call, in the order of the trace; at most 500, of which the highest and lowest are kept. */
  readonly curve: readonly ContextPoint[];
  readonly system: Carried;
  /** What the vendor counted and no message explains. */
  readonly unaccounted: Carried;
  /** What was read by calls of which it is not known what they saw. */
  readonly unseen: Carried;
  readonly items: readonly CarriedItem[];
  readonly itemCount: number;
  /** By what the items are: `user`, `assistant`, `tool`, `system`, `summary`. */
  readonly byOrigin: readonly CarriedGroup[];
  readonly byTool: readonly CarriedGroup[];
  readonly byFile: readonly CarriedGroup[];
  readonly byAgent: readonly CarriedGroup[];
}

export interface ContextPoint {
  readonly stepId: string;
  readonly agentId: string;
  readonly at: string;
  /** What the call read, as the vendor counted it; estimated where `isEstimated`. */
  readonly tokens: number;
  readonly isEstimated: boolean;
}

/** A part of a message that was in contexts. */
export interface CarriedItem extends Carried {
  readonly agentId: string;
  readonly origin: ContextItem["origin"];
  readonly part: ContextItem["part"];
  /** In the agent's conversation; below 0 where it is recorded on a call alone. */
  readonly messageIndex: number;
  /** Of the tool call that it is of. */
  readonly stepId?: string;
  readonly toolName?: string;
  /** What the tool call is about, or the beginning of the text. */
  readonly text: string;
  /** Its own size. */
  readonly size: number;
}

export interface CarriedGroup extends Carried {
  readonly name: string;
  readonly items: number;
}

export interface CacheMissSummary {
  readonly tokens: number;
  /** US dollars of those that have a price. */
  readonly usd: number;
  readonly unpricedTokens: number;
  readonly count: number;
  readonly byCause: readonly {
    readonly cause: CacheMissCause;
    readonly count: number;
    readonly tokens: number;
    readonly usd: number;
    readonly unpricedTokens: number;
  }[];
  readonly calls: readonly CacheMiss[];
}
