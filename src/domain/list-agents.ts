import { isJsonObject, textField } from "./json.js";
import {
  agentsNamedBy,
  type OrchestrationAgent,
  type OrchestrationAgentRecord,
  type OrchestrationSnapshot,
} from "./orchestration.js";
import { compareText } from "./session.js";

/** Every agent that was spawned, by `createdAt`, then by `agentId`. */
export function listAgents(
  snapshot: OrchestrationSnapshot,
  events: readonly unknown[],
): OrchestrationAgent[] {
  const counts = new Map<string, number>();
  for (const event of events) {
    for (const agentId of agentsNamedBy(event)) counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
  }
  return Object.entries(snapshot.agents)
    .filter(([, agent]) => isJsonObject(agent))
    .map(([id, agent]) => describeAgent(textField(agent, "id") ?? id, agent, counts))
    .sort((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.agentId, b.agentId));
}

function describeAgent(
  agentId: string,
  agent: OrchestrationAgentRecord,
  counts: ReadonlyMap<string, number>,
): OrchestrationAgent {
  const role = textField(agent, "role") ?? "";
  const status = textField(agent, "status") ?? "idle";
  const closedAt = textField(agent, "closedAt");
  const parentAgentId = textField(agent, "parentAgentId");
  return {
    agentId,
    displayName: textField(agent, "displayName") ?? (role || agentId),
    role,
    status,
    createdAt: textField(agent, "createdAt") ?? textField(agent, "updatedAt") ?? UNKNOWN_INSTANT,
    ...(status === "closed" && closedAt !== undefined ? { closedAt } : {}),
    events: counts.get(agentId) ?? 0,
    ...(isJsonObject(agent.lastJob) ? { lastJob: agent.lastJob } : {}),
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
  };
}

/** For an agent whose record knows no instant at all: the field is always there, and the oldest instant stands out. */
const UNKNOWN_INSTANT = "1970-01-01T00:00:00.000Z";
