import type { AgentSteps, TimedTool } from "./agent-steps.js";
import { type Interval, lengthOf, unionOf } from "./intervals.js";

/** How long tools ran, of all agents. What asks a person, and what a person refused, is no tool's time. */
export interface ToolTimes {
  /** The 20 slowest calls, the slowest first. */
  readonly slowestTools: readonly SlowTool[];
  /** The 50 tools that took most, by `wallMs`. */
  readonly tools: readonly ToolTime[];
  /** How many tools there are by name, those beyond the 50 included. */
  readonly toolNames: number;
}

export interface SlowTool {
  readonly stepId: string;
  readonly agentId: string;
  readonly name: string;
  /** What it is about, in a line. */
  readonly subject: string;
  readonly ms: number;
  /** How many agents it spawned: its time is theirs. */
  readonly spawned: number;
}

/** All calls of the tools of one name. */
export interface ToolTime {
  readonly name: string;
  readonly calls: number;
  /** How long at least one of them ran, in milliseconds: calls side by side count once. */
  readonly wallMs: number;
  /** The milliseconds of all of them. */
  readonly sumMs: number;
  readonly slowestMs: number;
  readonly slowestStepId: string;
}

const MOST_CALLS = 20;
const MOST_NAMES = 50;

export function toolTimes(agents: Iterable<AgentSteps>): ToolTimes {
  const all: TimedTool[] = [];
  const byName = new Map<string, TimedTool[]>();
  for (const { tools } of agents) {
    for (const tool of tools) {
      const { name, asksPerson, isRefused } = tool.call;
      if (asksPerson || isRefused) continue;
      all.push(tool);
      const same = byName.get(name);
      if (same === undefined) byName.set(name, [tool]);
      else same.push(tool);
    }
  }
  const slowest = all.sort((a, b) => msOf(b) - msOf(a)).slice(0, MOST_CALLS);
  const times = [...byName].map(([name, tools]) => timeOfTools(name, tools));
  return {
    slowestTools: slowest.map((tool) => {
      const { stepId, agentId, name, subject, spawned } = tool.call;
      return { stepId, agentId, name, subject, ms: msOf(tool), spawned: spawned.length };
    }),
    tools: times.sort((a, b) => b.wallMs - a.wallMs).slice(0, MOST_NAMES),
    toolNames: times.length,
  };
}

function timeOfTools(name: string, tools: readonly TimedTool[]): ToolTime {
  const slowest = tools.reduce((slow, tool) => (msOf(tool) > msOf(slow) ? tool : slow));
  return {
    name,
    calls: tools.length,
    wallMs: lengthOf(unionOf(tools.map(({ ran }): Interval => ran))),
    sumMs: tools.reduce((sum, tool) => sum + msOf(tool), 0),
    slowestMs: msOf(slowest),
    slowestStepId: slowest.call.stepId,
  };
}

function msOf({ ran: [from, to] }: TimedTool): number {
  return Math.round(to) - Math.round(from);
}
