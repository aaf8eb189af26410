import type { AgentSums } from "../model/agent-table.js";
import type { AxisSegment } from "../model/time-axis.js";
import type { WaitSource } from "./recorded-waits.js";

/** Position on a lane, from 0 to `LANE_UNITS`, in integer units. */
type Place = readonly [x0: number, x1: number];

/** Resolution of positions on a lane: no screen displays more, and closer positions are drawn as one. */
export const LANE_UNITS = 1000;

/** Activity of an agent on the time axis. */
export interface AgentLane {
  /** From its start to its end; `undefined` where nothing says when it ran. */
  readonly run: Place | undefined;
  /** When it, or one of those of a heading, was at work. */
  readonly work: readonly Place[];
  readonly waits: readonly Place[];
  /** Times when it was on the critical path to the session's end. */
  readonly path: readonly Place[];
  readonly jobs: readonly number[];
  readonly errors: readonly number[];
}

/** A line of the table of agents, as the page shows it. */
export interface AgentRow {
  readonly type: "agent" | "role";
  /** Of an agent, or of a role's heading. */
  readonly id: string;
  readonly depth: number;
  readonly aside: boolean;
  readonly parts: number;
  readonly folded: boolean;
  /** `""` for the main agent, and for agents without a role. */
  readonly name: string;
  readonly role: string;
  readonly prompt: string;
  readonly state: string;
  readonly models: readonly string[];
  readonly sums: AgentSums;
  /** Nothing says that it ended. */
  readonly isOpen: boolean;
  /** Id of the span where it begins in the trace; `""` if the trace has no span of it. */
  readonly spanId: string;
  readonly lane: AgentLane;
}

/** An agent that others waited for, with what it is called. */
interface AwaitedRow {
  readonly agentId: string;
  readonly name: string;
  readonly waiters: number;
  /** The agent that waited, or the first of them. */
  readonly waiterName: string;
  readonly ms: number;
}

/** An agent, whether or not the table shows it. */
export interface AgentDetail {
  /** With what it did by itself. */
  readonly row: AgentRow;
  /** Sums of the agent and of all agents that it spawned. */
  readonly branch: AgentSums;
  /** Who spawned it; `undefined` for the main agent. */
  readonly parent: { readonly agentId: string; readonly name: string } | undefined;
  /** Those that it waited for longest. */
  readonly waitedFor: readonly TimedAgent[];
  /** Waits of other agents for it. */
  readonly awaited: { readonly waiters: number; readonly ms: number } | undefined;
  /** Time that it was on the critical path to the session's end, in milliseconds. */
  readonly pathMs: number;
}

/** An agent with a stretch of time, in milliseconds. */
interface TimedAgent {
  readonly agentId: string;
  readonly name: string;
  readonly ms: number;
}

export interface AgentsViewModel {
  /** Increases whenever rows may have changed. */
  readonly version: number;
  readonly rows: number;
  /** The first of the rows. */
  readonly first: readonly AgentRow[];
  /** Number of agents, without the main one and regardless of the filter. */
  readonly agents: number;
  /** Number of agents that match the filter. */
  readonly found: number;
  readonly hasCost: boolean;
  readonly axis: readonly AxisSegment[];
  readonly waits: {
    readonly source: WaitSource;
    /** Those that cost others most time. */
    readonly top: readonly AwaitedRow[];
    /** Number of other agents that were waited for. */
    readonly more: number;
    /** Sum of the waiting times of all agents, in milliseconds. */
    readonly ms: number;
    readonly waiters: number;
  };
  readonly path: {
    readonly ms: number;
    readonly agents: number;
    /** Agents with the longest time on the path, in the order in which it reaches them. */
    readonly longest: readonly TimedAgent[];
  };
}
