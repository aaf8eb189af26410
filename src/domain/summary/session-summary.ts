import type { BytesAccount } from "../context/bytes-account.js";
import type { ContextItem } from "../context/context-item.js";
import type { CacheMiss, CacheMissCause } from "../cost/cache-misses.js";
import type { CallTotals } from "../cost/call-totals.js";
import type { Carried } from "../cost/carrying-cost.js";
import type { Diagnosis } from "../diagnosis/session-diagnosis.js";
import type { Waste } from "../diagnosis/waste.js";
import type { SessionKey } from "../session/session-key.js";
import type { TimeAccount } from "../time/time-account.js";
import type { Cost } from "../usage/money.js";

/**
 * The numbers of a session, as the API answers them. Tokens of complete calls are the vendor's counts; tokens of a part of a context are
 * estimated, and scaled to these counts. Money is in US dollars, without tokens that have no price, which are counted separately.
 * Durations are milliseconds, instants ISO 8601 in UTC. `stepId`s are ids of trace rows; the `agentId` `""` is the main agent. Lists are
 * bounded, largest elements first; sums cover everything.
 */
export interface SessionSummary extends SessionKey {
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly counts: SessionCounts;
  readonly diagnosis: Diagnosis;
  readonly total: CallTotals;
  readonly models: readonly ModelTotals[];
  readonly agents: readonly AgentTotals[];
  readonly turns: readonly TurnTotals[];
  readonly largestCalls: readonly CallFigures[];
  readonly context: ContextSummary;
  readonly cacheMisses: CacheMissSummary;
  readonly time: TimeAccount;
  readonly waste: SessionWaste;
  readonly bytes: BytesAccount;
}

export interface SessionWaste extends Waste {
  readonly failedCarried: Carried;
  readonly unchangedCarried: Carried;
}

export interface SessionCounts {
  /** Requests of the user to the main agent, as in the list of sessions. */
  readonly turns: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly agents: number;
  readonly compactions: number;
  readonly failedModelCalls: number;
  readonly failedToolCalls: number;
  readonly refusedToolCalls: number;
}

export interface ModelTotals extends CallTotals {
  /** As recorded; `""` without a record. */
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
  /** `""` for the main agent. */
  readonly agentId: string;
  readonly prompt: string;
  /** From its start to its end. */
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

export interface ContextSummary {
  /** One for each model call, in trace order; at most 500, with the highest and lowest points. */
  readonly curve: readonly ContextPoint[];
  readonly system: Carried;
  readonly unaccounted: Carried;
  readonly unseen: Carried;
  readonly items: readonly CarriedItem[];
  readonly itemCount: number;
  readonly byOrigin: readonly CarriedGroup[];
  readonly byTool: readonly CarriedGroup[];
  readonly byFile: readonly CarriedGroup[];
  readonly byAgent: readonly CarriedGroup[];
}

export interface ContextPoint {
  readonly stepId: string;
  readonly agentId: string;
  readonly at: string;
  /** The vendor's count of tokens that the call read; an estimate if `isEstimated`. */
  readonly tokens: number;
  readonly isEstimated: boolean;
}

export interface CarriedItem extends Carried {
  readonly agentId: string;
  readonly origin: ContextItem["origin"];
  readonly part: ContextItem["part"];
  /** In the agent's conversation; below 0 for a part that only a call records. */
  readonly messageIndex: number;
  readonly stepId?: string;
  readonly toolName?: string;
  readonly text: string;
  readonly size: number;
}

export interface CarriedGroup extends Carried {
  readonly name: string;
  readonly items: number;
}

export interface CacheMissSummary {
  readonly tokens: number;
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
