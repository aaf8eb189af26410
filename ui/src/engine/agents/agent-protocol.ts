import type { AgentSums } from "../../model/agents/agent-table.js";
import type { AxisSegment } from "../../model/charts/time-axis.js";
import type { WaitSource } from "./wait-records.js";

/** Integers from 0 to `LANE_UNITS`. */
type Place = readonly [x0: number, x1: number];

/** No screen has a higher resolution; closer positions are drawn as one. */
export const LANE_UNITS = 1000;

export interface AgentLane {
  /** `undefined` if unavailable. */
  readonly run: Place | undefined;
  readonly work: readonly Place[];
  readonly waits: readonly Place[];
  /** Times on the critical path to the session's end. */
  readonly path: readonly Place[];
  readonly jobs: readonly number[];
  readonly errors: readonly number[];
}

export interface AgentRow {
  readonly type: "agent" | "role";
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
  readonly isOpen: boolean;
  /** `""` if the trace has no span of the agent. */
  readonly spanId: string;
  readonly lane: AgentLane;
}

interface AwaitedRow {
  readonly agentId: string;
  readonly name: string;
  readonly waiters: number;
  readonly waiterName: string;
  readonly ms: number;
}

export interface AgentDetail {
  readonly row: AgentRow;
  /** Includes all agents that it spawned. */
  readonly branch: AgentSums;
  /** `undefined` for the main agent. */
  readonly parent: { readonly agentId: string; readonly name: string } | undefined;
  readonly waitedFor: readonly TimedAgent[];
  readonly awaited: { readonly waiters: number; readonly ms: number } | undefined;
  /** Milliseconds on the critical path to the session's end. */
  readonly pathMs: number;
}

interface TimedAgent {
  readonly agentId: string;
  readonly name: string;
  readonly ms: number;
}

export interface AgentsViewModel {
  /** Increases whenever rows may have changed. */
  readonly version: number;
  readonly rows: number;
  readonly first: readonly AgentRow[];
  readonly agents: number;
  readonly matches: number;
  readonly hasCost: boolean;
  readonly axis: readonly AxisSegment[];
  readonly waits: {
    readonly source: WaitSource;
    readonly top: readonly AwaitedRow[];
    readonly more: number;
    /** Milliseconds, of all agents. */
    readonly ms: number;
    readonly waiters: number;
  };
  readonly path: {
    readonly ms: number;
    readonly agents: number;
    /** The longest times on the path, in its order. */
    readonly longest: readonly TimedAgent[];
  };
}
