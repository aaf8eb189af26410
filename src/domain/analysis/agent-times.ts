import { AgentSteps } from "./agent-steps.js";
import { coverageOf, type Interval, lengthOf, overlapOf } from "./intervals.js";
import type { Agent } from "./session-steps.js";
import { timeByClass } from "./time-by-class.js";

/** Where the time of a sub-agent went, in milliseconds. All but `overlapMs` add up to `wholeMs`. */
export interface AgentTime {
  readonly agentId: string;
  readonly stepId: string;
  readonly name: string;
  /** `""` for the main agent. */
  readonly parentAgentId: string;
  /** From its start to the end of its last step; of an agent of which no step is recorded, to its own end, if that is. */
  readonly wholeMs: number;
  readonly modelMs: number;
  readonly toolsMs: number;
  /** The agents worked that it spawned itself. */
  readonly subAgentsMs: number;
  /** It waited for a person. */
  readonly personMs: number;
  readonly retryingMs: number;
  /** It did nothing that is recorded, as between two of its jobs. */
  readonly idleMs: number;
  /** How much of `wholeMs` other agents of the same parent ran, too. */
  readonly overlapMs: number;
}

/** Agents of one parent that ran at the same time: each overlaps another one of them. */
export interface AgentGroup {
  readonly parentAgentId: string;
  /** In the order in which they began. */
  readonly agentIds: readonly string[];
  /** Milliseconds from the start of the first to the end of the last. */
  readonly wholeMs: number;
  /** How much of it at least two of them ran, in milliseconds. */
  readonly overlapMs: number;
  /** The one that ended last, for which the others waited. */
  readonly lastAgentId: string;
  /** How long it ran after all others had ended, in milliseconds. */
  readonly aloneMs: number;
}

/** What sub-agents did with their time, and which of them ran side by side. */
export interface AgentTimes {
  /** In the order of the trace. */
  readonly agents: readonly AgentTime[];
  /** Those that overlapped longest first. */
  readonly agentGroups: readonly AgentGroup[];
}

interface AgentRun {
  readonly agent: Agent;
  readonly run: Interval;
  readonly own: AgentSteps;
}

export function agentTimes(agents: readonly Agent[], byAgent: ReadonlyMap<string, AgentSteps>): AgentTimes {
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

/** The agents of each parent, in the order in which they began. An agent that was spawned again is the same one. */
function familiesOf(
  agents: readonly Agent[],
  byAgent: ReadonlyMap<string, AgentSteps>,
): ReadonlyMap<string, AgentRun[]> {
  const families = new Map<string, AgentRun[]>();
  const known = new Set<string>();
  for (const agent of agents) {
    if (known.has(agent.agentId)) continue;
    known.add(agent.agentId);
    const own = byAgent.get(agent.agentId) ?? new AgentSteps();
    const sibling = { agent, run: own.runOf(agent), own };
    const family = families.get(agent.parentAgentId);
    if (family === undefined) families.set(agent.parentAgentId, [sibling]);
    else family.push(sibling);
  }
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
  // What comes next it is told by its parent: between its turns it waits for nobody.
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

/** When an agent was at work. Of an agent of which no step is known that is from its start to its end. */
function workOfRun({ run, own: { work } }: AgentRun): readonly Interval[] {
  return work.length === 0 ? [run] : work;
}

/** Runs of agents each of which overlaps one before it. */
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
  const whole: Interval = [group[0]!.run[0], last.run[1]];
  return {
    parentAgentId: last.agent.parentAgentId,
    agentIds: group.map(({ agent }) => agent.agentId),
    wholeMs: lengthOf([whole]),
    overlapMs: overlapIn(whole),
    lastAgentId: last.agent.agentId,
    aloneMs: last.run[1] - Math.max(beforeLast.run[1], last.run[0]),
  };
}
