import type { OrchestrationAgent } from "../../../src/domain/orchestration/orchestration.js";
import { outcomeOfWord } from "../../../src/domain/session/outcome.js";
import { valueText } from "../../../src/domain/text/value-text.js";
import { MAIN_AGENT } from "./address.js";
import { type AxisSegment, timeAxis } from "./time-axis.js";

/** A node of the orchestration graph: an agent, or all agents of a role that one agent spawned. */
export interface AgentNode {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly label: string;
  readonly role: string;
  /** The agents in it: one, or many where a role is folded. None for the main agent. */
  readonly agents: readonly OrchestrationAgent[];
}

/** More agents of a role under one parent than this are folded to one node. */
const MAX_OF_ROLE = 8;

/** The graph from the main agent down. Agents with an unknown parent, or with a cycle of parents, become its children. */
export function agentNodes(
  agents: readonly OrchestrationAgent[],
  unfolded: ReadonlySet<string>,
  mainLabel: string,
): AgentNode[] {
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  const groups = new Map<string, OrchestrationAgent[]>();
  for (const agent of agents) {
    const key = `${parentOf(agent, byId)}\u0000${agent.role}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [agent]);
    else group.push(agent);
  }
  const nodes: AgentNode[] = [
    { id: MAIN_AGENT, parentId: undefined, label: mainLabel, role: "", agents: [] },
  ];
  const nodeIds = new Map<string, string>();
  for (const [key, group] of groups) {
    const id = `role:${key.replace("\u0000", ":")}`;
    const folded = group.length > MAX_OF_ROLE && !unfolded.has(id);
    if (folded)
      nodes.push({
        id,
        parentId: key.split("\u0000")[0],
        label: group[0]!.role,
        role: group[0]!.role,
        agents: group,
      });
    for (const agent of group) {
      nodeIds.set(agent.agentId, folded ? id : agent.agentId);
      if (folded) continue;
      nodes.push({
        id: agent.agentId,
        parentId: parentOf(agent, byId),
        label: agent.displayName,
        role: agent.role,
        agents: [agent],
      });
    }
  }
  return nodes.map((node) => ({
    ...node,
    parentId: node.parentId && (nodeIds.get(node.parentId) ?? node.parentId),
  }));
}

/** The parent of an agent; the main agent for one that is its own ancestor. */
function parentOf(agent: OrchestrationAgent, byId: ReadonlyMap<string, OrchestrationAgent>): string {
  const parent = agent.parentAgentId;
  if (parent === undefined || !byId.has(parent)) return MAIN_AGENT;
  const seen = new Set([agent.agentId]);
  for (let at: string | undefined = parent; at !== undefined; at = byId.get(at)?.parentAgentId) {
    if (seen.has(at)) return MAIN_AGENT;
    seen.add(at);
  }
  return parent;
}

/** An agent in the order of a tree: its parent before it. */
export interface AgentRow {
  readonly agent: OrchestrationAgent;
  /** How many agents are between it and the main agent. */
  readonly depth: number;
}

/** Each agent below the one that spawned it, and otherwise in the order in which they were spawned. */
export function agentRows(agents: readonly OrchestrationAgent[]): AgentRow[] {
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  const children = new Map<string, OrchestrationAgent[]>();
  for (const agent of byId.values()) {
    const parent = parentOf(agent, byId);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [agent]);
    else siblings.push(agent);
  }
  const below = (id: string, depth: number) =>
    (children.get(id) ?? []).map((agent) => ({ agent, depth })).reverse();
  const rows: AgentRow[] = [];
  const stack = below(MAIN_AGENT, 0);
  for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
    rows.push(row);
    if (row.agent.agentId === MAIN_AGENT) continue;
    for (const child of below(row.agent.agentId, row.depth + 1)) stack.push(child);
  }
  return rows;
}

export type AgentsShape = "table" | "graph";

/** Up to this many agents, none of them deeper than this, have a table; of more the shape says more than the words. */
const FEW_AGENTS = 12;
const FLAT_DEPTH = 2;

export function shapeOf(rows: readonly AgentRow[]): AgentsShape {
  const flat = rows.length <= FEW_AGENTS && rows.every(({ depth }) => depth <= FLAT_DEPTH);
  return flat ? "table" : "graph";
}

/** An agent's state in one word: the outcome of its last job where that did not succeed, else its status. */
export function agentState(agent: OrchestrationAgent): string {
  const outcome = agent.lastJob?.outcome;
  return outcome !== undefined && outcome !== "" && outcomeOfWord(outcome) !== "succeeded"
    ? outcome
    : agent.status;
}

/** What an agent's last job came to: what went wrong, else what the agent gave back; `""` where neither is recorded. */
export function jobAnswer({ lastJob }: OrchestrationAgent): {
  readonly text: string;
  readonly isError: boolean;
} {
  const { error, outputText } = lastJob ?? {};
  const wrong = error === false ? "" : valueText(error);
  return wrong === "" ? { text: valueText(outputText), isError: false } : { text: wrong, isError: true };
}

/** Whether an agent's last job failed or timed out. */
export function lastJobFailed(agent: OrchestrationAgent): boolean {
  return outcomeOfWord(agentState(agent)) === "failed";
}

export interface AgentTimeline {
  readonly agent: OrchestrationAgent;
  readonly from: number;
  readonly to: number;
  /** No instant is recorded at which it was closed. */
  readonly open: boolean;
}

/**
 * The time axis from the first agent to the last: on that of the session, agents that ran for a small part of it would be dots.
 *
 * @param whole the session's axis: its gaps are folded here too, and instants outside of it count as its ends
 */
export function timelineAxis(
  timelines: readonly AgentTimeline[],
  whole: readonly AxisSegment[],
): readonly AxisSegment[] {
  const [begin, end] = [whole[0]!.from, whole.at(-1)!.to];
  let from = end;
  let to = begin;
  for (const timeline of timelines) {
    if (Number.isNaN(timeline.from)) continue;
    from = Math.max(begin, Math.min(from, timeline.from));
    to = Math.min(end, Math.max(to, timeline.to));
  }
  const idle = whole.filter(({ folded }) => folded);
  return timeAxis(from, to, idle).segments;
}

/** @param until the last instant of the trace: an agent that was not closed is shown up to it */
export function agentTimelines(agents: readonly OrchestrationAgent[], until: number): AgentTimeline[] {
  return agents.map((agent) => {
    const from = Date.parse(agent.createdAt);
    const ended = agent.closedAt ?? agent.lastJob?.completedAt;
    const to = ended === undefined ? until : Date.parse(ended);
    return {
      agent,
      from,
      to: Number.isNaN(to) ? from : Math.max(from, to),
      open: agent.closedAt === undefined,
    };
  });
}
