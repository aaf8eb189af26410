import { isJsonObject, type JsonObject, objectField, textField, textsField } from "../json/json.js";
import { compareText } from "../lists/compare-text.js";
import { isPause } from "../lists/is-pause.js";
import { sortByRuns } from "./sort-by-runs.js";

export type OrchestrationAgentStatus = "idle" | "running" | "waiting" | "closing" | "closed" | (string & {});

export type OrchestrationJobOutcome = "completed" | "failed" | "cancelled" | "timed_out" | (string & {});

/** Further fields are passed through. */
export interface OrchestrationJob extends JsonObject {
  readonly jobId: string;
  readonly outcome: OrchestrationJobOutcome;
  /** Usually a text, otherwise the recorded value. */
  readonly outputText?: unknown;
  /** Usually a text, otherwise the recorded value. */
  readonly error?: unknown;
  readonly completedAt: string;
}

export interface OrchestrationAgentRecord extends JsonObject {
  readonly id: string;
  readonly role?: string;
  readonly displayName?: string;
  readonly status?: OrchestrationAgentStatus;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly closedAt?: string;
  readonly parentAgentId?: string;
  readonly lastJob?: OrchestrationJob;
}

/** Content of a checkpoint file: the state up to `lastEventId`. Records are keyed by `id`; older writers have a single `run`. */
export interface OrchestrationSnapshot {
  readonly runs?: { readonly [id: string]: JsonObject };
  readonly run?: JsonObject | null;
  readonly tasks: { readonly [id: string]: JsonObject };
  readonly agents: { readonly [id: string]: OrchestrationAgentRecord };
  readonly waits: { readonly [id: string]: JsonObject };
  readonly queuedInputs: readonly JsonObject[];
  readonly lastEventId?: string;
}

export interface OrchestrationAgent {
  readonly agentId: string;
  /** Default is the role, then the id. */
  readonly displayName: string;
  readonly role: string;
  readonly status: OrchestrationAgentStatus;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Only for a closed agent. */
  readonly closedAt?: string;
  readonly events: number;
  /** Absent before the first job ends. */
  readonly lastJob?: OrchestrationJob;
  readonly parentAgentId?: string;
}

export function orchestrationEventId(event: JsonObject): string | undefined {
  return textField(event, "eventId") ?? textField(event, "id");
}

/** Names lie at its top (`agentId`, `agentIds`, `parentAgentId`) and in its parts (`agent.id`, `wait.agentIds`, …). */
function agentsNamedBy(event: unknown): ReadonlySet<string> {
  const named = new Set<string>();
  if (!isJsonObject(event)) return named;
  addNamed(named, event);
  const spawned = textField(objectField(event, "agent"), "id");
  if (spawned !== undefined) named.add(spawned);
  for (const part of Object.values(event)) {
    if (isJsonObject(part)) addNamed(named, part);
  }
  return named;
}

function addNamed(named: Set<string>, part: JsonObject): void {
  for (const key of ["agentId", "parentAgentId"]) {
    const id = textField(part, key);
    if (id !== undefined) named.add(id);
  }
  for (const id of textsField(part, "agentIds")) named.add(id);
}

/** Ordered by `createdAt`, then by `agentId`. It pauses, because there may be thousands. */
export function* listAgents(
  snapshot: OrchestrationSnapshot,
  events: readonly unknown[],
): Generator<void, OrchestrationAgent[]> {
  const counts = new Map<string, number>();
  for (const [i, event] of events.entries()) {
    for (const agentId of agentsNamedBy(event)) counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
    if (isPause(i)) yield;
  }
  const agents: OrchestrationAgent[] = [];
  const stored = objectField({ ...snapshot }, "agents");
  for (const id of Object.keys(stored)) {
    const agent = stored[id];
    if (!isJsonObject(agent)) continue;
    agents.push(describeAgent(textField(agent, "id") ?? id, agent as OrchestrationAgentRecord, counts));
    if (isPause(agents.length)) yield;
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

/** The field is required, and the oldest instant is easy to see. */
const UNKNOWN_INSTANT = "1970-01-01T00:00:00.000Z";
