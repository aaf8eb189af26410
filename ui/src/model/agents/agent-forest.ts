import { valueText } from "../../../../src/domain/text/value-text.js";
import type { OrchestrationAgent } from "../../../../src/domain/trace/orchestration.js";
import { outcomeOfWord } from "../../../../src/domain/trace/outcome.js";
import { MAIN_AGENT } from "../address/address.js";
import { parentsOf } from "./agent-table.js";

export interface AgentNode {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly label: string;
  readonly role: string;
  /** Several for a folded role, none for the main agent. */
  readonly agents: readonly OrchestrationAgent[];
}

const MAX_OF_ROLE = 8;

/** Agents with an unregistered parent, or in a cycle, become children of the main agent. */
export function agentNodes(
  agents: readonly OrchestrationAgent[],
  unfolded: ReadonlySet<string>,
  mainLabel: string,
): AgentNode[] {
  const parents = parentsOf(
    agents.map(({ agentId: id, parentAgentId: parentId }) => ({ id, parentId })),
    MAIN_AGENT,
  );
  const parentOf = ({ agentId }: OrchestrationAgent) => parents.get(agentId) ?? MAIN_AGENT;
  const groups = new Map<string, OrchestrationAgent[]>();
  for (const agent of agents) {
    const key = `${parentOf(agent)}\u0000${agent.role}`;
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
        parentId: parentOf(agent),
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

/** The outcome of an unsuccessful last job, else the status. */
export function agentState(agent: OrchestrationAgent): string {
  const outcome = agent.lastJob?.outcome;
  return outcome !== undefined && outcome !== "" && outcomeOfWord(outcome) !== "succeeded"
    ? outcome
    : agent.status;
}

/** The error, else the answer; `""` without both. */
export function jobAnswer({ lastJob }: OrchestrationAgent): {
  readonly text: string;
  readonly isError: boolean;
} {
  const { error, outputText } = lastJob ?? {};
  const wrong = error === false ? "" : valueText(error);
  return wrong === "" ? { text: valueText(outputText), isError: false } : { text: wrong, isError: true };
}

export function lastJobFailed(agent: OrchestrationAgent): boolean {
  return outcomeOfWord(agentState(agent)) === "failed";
}
