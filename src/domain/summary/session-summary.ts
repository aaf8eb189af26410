import type { BytesAccount } from "../context/bytes-account.js";
import type { ContextItem } from "../context/context-item.js";
import type { CacheMiss, CacheMissCause } from "../cost/cache-misses.js";
import type { CallTotals } from "../cost/call-totals.js";
import type { Carried } from "../cost/carrying-cost.js";
import type { Diagnosis } from "../diagnosis/session-diagnosis.js";
import type { Waste } from "../diagnosis/waste.js";
import type { TimeAccount } from "../time/time-account.js";
import type { Cost } from "../usage/money.js";

/**
 * The numbers of a session, exactly as the API answers them. Tokens of complete calls are the vendor's counts; tokens of a part of a
 * context are estimated, and scaled to these counts. Money is in US dollars; tokens without a price are counted separately, and are not
 * part of a sum. Durations are milliseconds, instants ISO 8601 in UTC. `stepId`s are ids of envelopes, which name a row of the trace; the
 * `agentId` `""` is the main agent. Lists have a maximum length, largest elements first; sums cover everything.
 */
export interface SessionSummary {
  readonly tenantId: string;
  readonly sessionId: string;
  /** Absent of a session without events. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly counts: SessionCounts;
  /** Errors by cause. */
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
  /** Sizes of the records of its trace, as the data source provides them. */
  readonly bytes: BytesAccount;
}

/** Repeated and failed work, and its tokens in contexts. */
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

/** The content of the contexts, and its cost. */
export interface ContextSummary {
  /** One point for each model call, in trace order; at most 500, including the highest and lowest points. */
  readonly curve: readonly ContextPoint[];
  readonly system: Carried;
  /** Tokens that the vendor counted and no message explains. */
  readonly unaccounted: Carried;
  /** Tokens of calls without a recorded context. */
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
  /** Tokens that the call read, as counted by the vendor; estimated if `isEstimated`. */
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
  /** The subject of the tool call, or the start of the text. */
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
