import { isJsonObject, objectField, textField } from "../json/json.js";
import { compareText } from "../session/session.js";
import { sortByRuns } from "../trace/sort-by-runs.js";
import {
  agentsNamedBy,
  type OrchestrationAgent,
  type OrchestrationAgentRecord,
  type OrchestrationSnapshot,
} from "./orchestration.js";

const STEPS_PER_PAUSE = 256;

/** Every agent that was spawned, by `createdAt`, then by `agentId`. It pauses, because there may be thousands. */
export function* listAgents(
  snapshot: OrchestrationSnapshot,
  events: readonly unknown[],
): Generator<void, OrchestrationAgent[]> {
  const counts = new Map<string, number>();
  for (const [i, event] of events.entries()) {
    for (const agentId of agentsNamedBy(event)) counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
    if (i % STEPS_PER_PAUSE === STEPS_PER_PAUSE - 1) yield;
  }
  const agents: OrchestrationAgent[] = [];
  const stored = objectField({ ...snapshot }, "agents");
  for (const id of Object.keys(stored)) {
    const agent = stored[id];
    if (!isJsonObject(agent)) continue;
    agents.push(describeAgent(textField(agent, "id") ?? id, agent as OrchestrationAgentRecord, counts));
    if (agents.length % STEPS_PER_PAUSE === 0) yield;
  }
  const order = new Uint32Array(agents.length).map((_, i) => i);
  yield* sortByRuns(order, (a, b) => compareAgents(agents[a]!, agents[b]!) || a - b);
  return Array.from(order, (at) => agents[at]!);
}

function compareAgents(a: OrchestrationAgent, b: OrchestrationAgent): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.agentId, b.agentId);
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

/** For an agent whose record knows no instant at all: the field is always there, and the oldest instant is easy to see. */
const UNKNOWN_INSTANT = "1970-01-01T00:00:00.000Z";
