import { addTo, groupBy } from "../lists/lists.js";
import type { Agent, SessionSteps } from "../steps/session-steps.js";
import { AgentSteps, intervalsOf, stepsByAgent, type TimedTool } from "./agent-steps.js";
import { coverageOf, gapsBetween, type Interval, lengthOf, overlapOf, unionOf } from "./intervals.js";
import { type TimeByClass, timeByClass } from "./time-by-class.js";

export interface TimeAccount extends AgentTimes, ToolTimes {
  /** Milliseconds from the first to the last recorded instant. */
  readonly wholeMs: number;
  /** Of the main agent. The six classes add up to `wholeMs`. */
  readonly classes: TimeByClass;
}

export function timeOf(steps: SessionSteps): TimeAccount {
  const byAgent = stepsByAgent(steps);
  const session: Interval = [Math.round(steps.from), Math.round(steps.to)];
  const main = byAgent.get("")!;
  const others = [...byAgent].filter(([agentId]) => agentId !== "");
  const silent = steps.agents.filter(({ agentId, isEnded }) => isEnded && !byAgent.get(agentId)?.work.length);
  const atWork = [...others.flatMap(([, { work }]) => work), ...intervalsOf(silent)];
  const turns = unionOf(intervalsOf(main.turns));
  const firstPrompt = turns.slice(0, 1).map(([from]): Interval => [session[0], from]);
  const pauses = [...firstPrompt, ...gapsBetween(turns)];
  return {
    wholeMs: lengthOf([session]),
    classes: timeByClass(main, atWork, pauses, session),
    ...agentTimes(steps.agents, byAgent),
    ...toolTimes(byAgent.values()),
  };
}

/** In milliseconds. All but `overlapMs` add up to `wholeMs`. */
interface AgentTime {
  readonly agentId: string;
  readonly stepId: string;
  readonly name: string;
  /** `""` for the main agent. */
  readonly parentAgentId: string;
  /** From its start to the end of its last step; without recorded steps, to its own recorded end. */
  readonly wholeMs: number;
  readonly modelMs: number;
  readonly toolsMs: number;
  readonly subAgentsMs: number;
  readonly personMs: number;
  readonly retryingMs: number;
  /** Without any record, as between two of its jobs. */
  readonly idleMs: number;
  readonly overlapMs: number;
}

interface AgentGroup {
  readonly parentAgentId: string;
  readonly agentIds: readonly string[];
  readonly wholeMs: number;
  readonly overlapMs: number;
  readonly lastAgentId: string;
  readonly aloneMs: number;
}

interface AgentTimes {
  readonly agents: readonly AgentTime[];
  readonly agentGroups: readonly AgentGroup[];
}

interface AgentRun {
  readonly agent: Agent;
  readonly run: Interval;
  readonly own: AgentSteps;
}

function agentTimes(agents: readonly Agent[], byAgent: ReadonlyMap<string, AgentSteps>): AgentTimes {
  const families = familiesOf(agents, byAgent);
  const times = new Map<string, AgentTime>();
  const groups: AgentGroup[] = [];
  for (const siblings of families.values()) {
    const overlap = overlapOf(siblings.map(({ run }) => run));
    const overlapIn = coverageOf(overlap);
    for (const sibling of siblings) {
      times.set(sibling.agent.agentId, timeOfAgent(sibling, families, overlapIn(sibling.run)));
    }
    for (const group of groupsOf(siblings)) groups.push(groupOf(group, overlapIn));
  }
  return {
    agents: [...new Set(agents.map(({ agentId }) => agentId))].map((agentId) => times.get(agentId)!),
    agentGroups: groups.sort((a, b) => b.overlapMs - a.overlapMs),
  };
}

function familiesOf(
  agents: readonly Agent[],
  byAgent: ReadonlyMap<string, AgentSteps>,
): ReadonlyMap<string, AgentRun[]> {
  const first = new Map(agents.toReversed().map((agent) => [agent.agentId, agent]));
  const runs = [...new Set(agents.map(({ agentId }) => first.get(agentId)!))].map((agent): AgentRun => {
    const own = byAgent.get(agent.agentId) ?? new AgentSteps();
    return { agent, run: own.runOf(agent), own };
  });
  const families = groupBy(runs, ({ agent }) => agent.parentAgentId);
  for (const family of families.values()) family.sort((a, b) => a.run[0] - b.run[0]);
  return families;
}

function timeOfAgent(
  { agent, run, own }: AgentRun,
  families: ReadonlyMap<string, readonly AgentRun[]>,
  overlapMs: number,
): AgentTime {
  const { stepId, agentId, name, parentAgentId } = agent;
  const atWork = (families.get(agentId) ?? []).flatMap(workOfRun);
  // A sub-agent gets its tasks from its parent, so it waits for nobody between its turns.
  const time = timeByClass(own, atWork, [], run);
  return {
    agentId,
    stepId,
    name,
    parentAgentId,
    wholeMs: lengthOf([run]),
    modelMs: time.model,
    toolsMs: time.tools,
    subAgentsMs: time.subAgents,
    personMs: time.person,
    retryingMs: time.retrying,
    idleMs: time.unknown,
    overlapMs,
  };
}

function workOfRun({ run, own: { work } }: AgentRun): readonly Interval[] {
  return work.length === 0 ? [run] : work;
}

function groupsOf(siblings: readonly AgentRun[]): readonly (readonly AgentRun[])[] {
  const groups: AgentRun[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const sibling of siblings) {
    const [from, to] = sibling.run;
    if (from === to) continue;
    if (from < end) groups.at(-1)!.push(sibling);
    else groups.push([sibling]);
    end = Math.max(end, to);
  }
  return groups.filter(({ length }) => length > 1);
}

function groupOf(group: readonly AgentRun[], overlapIn: (interval: Interval) => number): AgentGroup {
  const [last, beforeLast] = [...group].sort((a, b) => b.run[1] - a.run[1]) as [AgentRun, AgentRun];
  const session: Interval = [group[0]!.run[0], last.run[1]];
  return {
    parentAgentId: last.agent.parentAgentId,
    agentIds: group.map(({ agent }) => agent.agentId),
    wholeMs: lengthOf([session]),
    overlapMs: overlapIn(session),
    lastAgentId: last.agent.agentId,
    aloneMs: last.run[1] - Math.max(beforeLast.run[1], last.run[0]),
  };
}

/** Of all agents. Questions to a person and refused calls are not tool time. */
interface ToolTimes {
  readonly slowestTools: readonly SlowTool[];
  readonly tools: readonly ToolTime[];
  readonly toolNames: number;
}

interface SlowTool {
  readonly stepId: string;
  readonly agentId: string;
  readonly name: string;
  readonly subject: string;
  readonly ms: number;
  readonly spawned: number;
}

interface ToolTime {
  readonly name: string;
  readonly calls: number;
  /** Milliseconds with at least one running call: parallel calls count once. */
  readonly wallMs: number;
  readonly sumMs: number;
  readonly slowestMs: number;
  readonly slowestStepId: string;
}

const MOST_CALLS = 20;
const MOST_NAMES = 50;

function toolTimes(agents: Iterable<AgentSteps>): ToolTimes {
  const all: TimedTool[] = [];
  const byName = new Map<string, TimedTool[]>();
  for (const { tools } of agents) {
    for (const tool of tools) {
      const { name, asksPerson, isRefused } = tool.call;
      if (asksPerson || isRefused) continue;
      all.push(tool);
      addTo(byName, name, tool);
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
