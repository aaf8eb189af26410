import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { isPause } from "../lists/is-pause.js";
import { addTo } from "../lists/lists.js";
import { runToEnd } from "../lists/run-to-end.js";
import { formatInstant, instantOf } from "./instant.js";
import {
  type OrchestrationAgentRecord,
  type OrchestrationSnapshot,
  orchestrationEventId,
} from "./orchestration.js";

/**
 * Applies the events after the checkpoint's `lastEventId`. If the log does not contain this id, the checkpoint belongs to another log,
 * and the complete log is replayed.
 */
export function replayOrchestration(
  checkpoint: OrchestrationSnapshot | null,
  events: readonly unknown[],
): OrchestrationSnapshot {
  return runToEnd(replayInSteps(checkpoint, events));
}

export function* replayInSteps(
  checkpoint: OrchestrationSnapshot | null,
  events: readonly unknown[],
): Generator<void, OrchestrationSnapshot> {
  const last = checkpoint?.lastEventId;
  if (checkpoint === null || last === undefined) return yield* replayAll(checkpoint, events);
  const at = events.findIndex((event) => isJsonObject(event) && orchestrationEventId(event) === last);
  if (at === -1 && events.length > 0) return yield* replayAll(null, events);
  return yield* replayAll(checkpoint, events.slice(at + 1));
}

/** Maps, because ids are foreign text and `__proto__` is a legal one. */
interface ReplayState {
  readonly runs: Map<string, JsonObject>;
  readonly tasks: Map<string, JsonObject>;
  readonly agents: Map<string, OrchestrationAgentRecord>;
  readonly waits: Map<string, JsonObject>;
  /** In queue order; several may have the same id. */
  readonly queuedInputs: Map<number, JsonObject>;
  readonly placesOfInputs: Map<unknown, number[]>;
  queued: number;
  lastEventId: string | undefined;
}

function* replayAll(
  checkpoint: OrchestrationSnapshot | null,
  events: readonly unknown[],
): Generator<void, OrchestrationSnapshot> {
  const state = openState(checkpoint);
  for (const [i, event] of events.entries()) {
    if (isPause(i)) yield;
    if (!isJsonObject(event)) continue;
    applyEvent(state, event);
    state.lastEventId = orchestrationEventId(event) ?? state.lastEventId;
  }
  return {
    runs: Object.fromEntries(state.runs),
    tasks: Object.fromEntries(state.tasks),
    agents: Object.fromEntries(state.agents),
    waits: Object.fromEntries(state.waits),
    queuedInputs: [...state.queuedInputs.values()],
    ...(state.lastEventId === undefined ? {} : { lastEventId: state.lastEventId }),
  };
}

function openState(checkpoint: OrchestrationSnapshot | null): ReplayState {
  const runs = new Map(objectEntries(checkpoint?.runs));
  const single = checkpoint?.run;
  if (isJsonObject(single)) runs.set(textField(single, "id") ?? "", single);
  const agents = objectEntries(checkpoint?.agents).map(([id, agent]): [string, OrchestrationAgentRecord] => [
    id,
    { ...agent, id: textField(agent, "id") ?? id },
  ]);
  const state: ReplayState = {
    runs,
    tasks: new Map(objectEntries(checkpoint?.tasks)),
    agents: new Map(agents),
    waits: new Map(objectEntries(checkpoint?.waits)),
    queuedInputs: new Map(),
    placesOfInputs: new Map(),
    queued: 0,
    lastEventId: checkpoint?.lastEventId,
  };
  const queued: unknown = checkpoint?.queuedInputs;
  for (const input of Array.isArray(queued) ? queued : []) if (isJsonObject(input)) queueInput(state, input);
  return state;
}

function queueInput(state: ReplayState, input: JsonObject): void {
  const place = state.queued++;
  state.queuedInputs.set(place, input);
  addTo(state.placesOfInputs, input.id, place);
}

function removeInput(state: ReplayState, id: unknown): void {
  for (const place of state.placesOfInputs.get(id) ?? []) state.queuedInputs.delete(place);
  state.placesOfInputs.delete(id);
}

function objectEntries(value: unknown): [string, JsonObject][] {
  return isJsonObject(value)
    ? Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
    : [];
}

function applyEvent(state: ReplayState, event: JsonObject): void {
  const at = eventInstant(event);
  const runId = textField(event, "runId") ?? "";
  switch (event.type) {
    case "run_started": {
      const task = objectField(event, "initialTask");
      const taskId = textField(task, "id");
      if (taskId !== undefined) state.tasks.set(taskId, { ...task, runId, ...stamp("createdAt", at) });
      state.runs.set(runId, {
        id: runId,
        status: "running",
        ...(taskId === undefined ? {} : { initialTaskId: taskId }),
        ...stamp("createdAt", at),
        ...stamp("updatedAt", at),
      });
      return;
    }
    case "run_completed": {
      const run = state.runs.get(runId);
      if (run === undefined) return;
      const status = textField(event, "status") ?? "completed";
      state.runs.set(runId, { ...run, status, ...stamp("updatedAt", at), ...stamp("completedAt", at) });
      return;
    }
    case "agent_spawned": {
      const agent = objectField(event, "agent");
      const id = textField(agent, "id");
      if (id === undefined) return;
      const parentAgentId = textField(agent, "parentAgentId") ?? textField(event, "parentAgentId");
      state.agents.set(id, {
        ...agent,
        id,
        runId,
        ...(parentAgentId === undefined ? {} : { parentAgentId }),
        status: "idle",
        ...stamp("createdAt", at),
        ...stamp("updatedAt", at),
      });
      return;
    }
    case "agent_status_changed":
      return changeAgent(state, event, at, () => ({ status: textField(event, "status") ?? "idle" }));
    case "agent_job_started":
      return changeAgent(state, event, at, ({ status }) => (status === "idle" ? { status: "running" } : {}));
    case "agent_job_completed":
    case "agent_job_failed": {
      const job = objectField(event, "job");
      const outcome =
        textField(job, "outcome") ?? (event.type === "agent_job_failed" ? "failed" : "completed");
      const jobId = textField(job, "jobId") ?? textField(event, "jobId") ?? "";
      const lastJob = { ...job, jobId, outcome, completedAt: textField(job, "completedAt") ?? at ?? "" };
      return changeAgent(state, event, at, ({ status }) =>
        status === "running" ? { lastJob, status: "idle" } : { lastJob },
      );
    }
    case "agent_closed": {
      const close = objectField(event, "close");
      const named = textField(close, "agentId") === undefined ? event : close;
      return changeAgent(state, named, at, () => ({ status: "closed", ...stamp("closedAt", at) }));
    }
    case "agent_input_queued": {
      const input = objectField(event, "input");
      queueInput(state, { ...input, ...stamp("queuedAt", at) });
      return;
    }
    case "agent_input_removed":
      removeInput(state, event.inputId);
      return;
    case "wait_registered": {
      const wait = objectField(event, "wait");
      const id = textField(wait, "id");
      if (id !== undefined) {
        state.waits.set(id, { ...wait, runId, status: "pending", ...stamp("registeredAt", at) });
      }
      return;
    }
    case "wait_resolved": {
      const waitId = textField(event, "waitId") ?? "";
      const wait = state.waits.get(waitId);
      if (wait === undefined) return;
      const resolution = event.resolution === undefined ? {} : { resolution: event.resolution };
      state.waits.set(waitId, { ...wait, status: "resolved", ...stamp("resolvedAt", at), ...resolution });
      return;
    }
    default:
      return;
  }
}

function changeAgent(
  state: ReplayState,
  named: JsonObject,
  at: string | undefined,
  change: (agent: OrchestrationAgentRecord) => Partial<OrchestrationAgentRecord>,
): void {
  const agent = state.agents.get(textField(named, "agentId") ?? "");
  if (agent !== undefined)
    state.agents.set(agent.id, { ...agent, ...change(agent), ...stamp("updatedAt", at) });
}

function eventInstant(event: JsonObject): string | undefined {
  const instant = instantOf(event.occurredAt) ?? instantOf(event.timestamp);
  return instant === undefined ? undefined : formatInstant(instant);
}

function stamp<K extends string>(key: K, at: string | undefined): { [key in K]?: string } {
  return (at === undefined ? {} : { [key]: at }) as { [key in K]?: string };
}
