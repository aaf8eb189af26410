import type { AgentSums } from "../model/agent-table.js";
import type { AxisSegment } from "../model/time-axis.js";
import type { WaitSource } from "./recorded-waits.js";

/** Where something lies on a lane, from 0 to `LANE_UNITS`, in whole units. */
type Place = readonly [x0: number, x1: number];

/** How finely the places of a lane are told apart: no screen shows more, and what is closer is drawn as one. */
export const LANE_UNITS = 1000;

/** What an agent did, on the time axis. */
export interface AgentLane {
  /** From its start to its end; `undefined` where nothing says when it ran. */
  readonly run: Place | undefined;
  /** When it, or one of those of a heading, was at work. */
  readonly work: readonly Place[];
  readonly waits: readonly Place[];
  /** Where it decided when the session ended. */
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
  /** Where it begins in the trace; `""` where that has nothing of it. */
  readonly spanId: string;
  readonly lane: AgentLane;
}

/** An agent that others waited for, with what it is called. */
export interface AwaitedRow {
  readonly agentId: string;
  readonly name: string;
  readonly waiters: number;
  /** The one that waited, or the first of them. */
  readonly waiterName: string;
  readonly ms: number;
}

/** An agent, whether or not the table shows it. */
export interface AgentDetail {
  /** With what it did by itself. */
  readonly row: AgentRow;
  /** What it did with all that it spawned. */
  readonly branch: AgentSums;
  /** Who spawned it; `undefined` for the main agent. */
  readonly parent: { readonly agentId: string; readonly name: string } | undefined;
  /** Those that it waited for longest. */
  readonly waitedFor: readonly TimedAgent[];
  /** What others waited for it. */
  readonly awaited: { readonly waiters: number; readonly ms: number } | undefined;
  /** How long it decided when the session ended, in milliseconds. */
  readonly pathMs: number;
}

/** An agent with a stretch of time, in milliseconds. */
export interface TimedAgent {
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
  /** How many agents there are, without the main one, whatever the filter. */
  readonly agents: number;
  /** How many of them the filter finds. */
  readonly found: number;
  readonly hasCost: boolean;
  readonly axis: readonly AxisSegment[];
  readonly waits: {
    readonly source: WaitSource;
    /** Those that cost others most time. */
    readonly top: readonly AwaitedRow[];
    /** How many others were waited for. */
    readonly more: number;
    /** How long all agents waited, each by itself, added up. */
    readonly ms: number;
    readonly waiters: number;
  };
  readonly path: {
    readonly ms: number;
    readonly agents: number;
    /** Those that it goes through longest, in the order in which it reaches them. */
    readonly longest: readonly TimedAgent[];
  };
}
