import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json.js";
import { runToEnd } from "../lists/run-to-end.js";
import type { OrchestrationSnapshot } from "./orchestration.js";
import { listAgents } from "./orchestration.js";
import { replayInSteps, replayOrchestration } from "./replay-orchestration.js";

const AT = (second: number) => `2026-01-15T12:00:${String(second).padStart(2, "0")}.000Z`;

function events(...list: readonly JsonObject[]): JsonObject[] {
  return list.map((event, i) => ({ eventId: `e${i + 1}`, occurredAt: AT(i + 1), runId: "r1", ...event }));
}

const LIFE = events(
  { type: "run_started", initialTask: { id: "task", kind: "chat", input: {} } },
  { type: "agent_spawned", agent: { id: "a1", role: "researcher", displayName: "Reader" } },
  { type: "agent_input_queued", input: { id: "i1", agentId: "a1", payload: {} } },
  { type: "agent_job_started", agentId: "a1", jobId: "j1", inputIds: ["i1"] },
  { type: "agent_input_removed", inputId: "i1", agentId: "a1", reason: "delivered" },
  { type: "wait_registered", wait: { id: "w1", agentId: "main", agentIds: ["a1"], kind: "agents" } },
  {
    type: "agent_job_completed",
    agentId: "a1",
    job: { jobId: "j1", outcome: "completed", outputText: "done" },
  },
  { type: "wait_resolved", waitId: "w1", resolution: { by: "a1" } },
  { type: "agent_closed", close: { id: "c1", agentId: "a1", reason: "finished" } },
  { type: "run_completed", status: "completed" },
);

describe("replayOrchestration", () => {
  it("follows an agent through its life", () => {
    const snapshot = replayOrchestration(null, LIFE);
    expect(snapshot.agents.a1).toMatchObject({
      status: "closed",
      createdAt: AT(2),
      closedAt: AT(9),
      lastJob: { jobId: "j1", outcome: "completed", outputText: "done", completedAt: AT(7) },
    });
    const run = { initialTaskId: "task", status: "completed", createdAt: AT(1), completedAt: AT(10) };
    expect(snapshot.runs?.r1).toMatchObject(run);
    expect(snapshot.waits.w1).toMatchObject({ status: "resolved", resolution: { by: "a1" } });
    expect(snapshot.tasks.task).toMatchObject({ kind: "chat", runId: "r1" });
    expect(snapshot.queuedInputs).toEqual([]);
    expect(snapshot.lastEventId).toBe("e10");
  });

  it("reports an agent in the middle of a job as running", () => {
    expect(replayOrchestration(null, LIFE.slice(0, 4)).agents.a1?.status).toBe("running");
    expect(replayOrchestration(null, LIFE.slice(0, 7)).agents.a1?.status).toBe("idle");
  });

  it("keeps the status of a status event when a job ends", () => {
    const waiting = events(
      { type: "agent_spawned", agent: { id: "a1", role: "r" } },
      { type: "agent_status_changed", agentId: "a1", status: "closing" },
      { type: "agent_job_failed", agentId: "a1", job: { jobId: "j1", error: "boom" } },
    );
    expect(replayOrchestration(null, waiting).agents.a1).toMatchObject({
      status: "closing",
      lastJob: { outcome: "failed", error: "boom" },
    });
  });

  it("gives the same from a checkpoint and its tail as from the whole log, wherever it was taken", () => {
    const complete = replayOrchestration(null, LIFE);
    for (let i = 1; i <= LIFE.length; i++) {
      const checkpoint = replayOrchestration(null, LIFE.slice(0, i));
      expect(replayOrchestration(checkpoint, LIFE)).toEqual(complete);
    }
  });

  it("understands the older checkpoint with a single run", () => {
    const { runs, ...rest } = replayOrchestration(null, LIFE.slice(0, 3));
    const older = { ...rest, run: runs?.r1 ?? null } as OrchestrationSnapshot;
    expect(replayOrchestration(older, LIFE)).toEqual(replayOrchestration(null, LIFE));
  });

  it("ignores a checkpoint of another log, but trusts one where the log is empty", () => {
    const checkpoint = { ...replayOrchestration(null, LIFE), lastEventId: "of another log" };
    expect(replayOrchestration(checkpoint, LIFE.slice(0, 2)).agents.a1?.status).toBe("idle");
    expect(replayOrchestration(checkpoint, []).agents.a1?.status).toBe("closed");
  });

  it("survives events and checkpoints of any shape", () => {
    const odd: unknown[] = [null, 42, [], {}, { type: "agent_spawned" }, { type: "agent_closed", close: 7 }];
    expect(replayOrchestration(null, odd).agents).toEqual({});
    const checkpoint = { runs: 1, agents: { a: null, b: { role: "r" } }, queuedInputs: {} };
    expect(Object.keys(replayOrchestration(checkpoint as never, []).agents)).toEqual(["b"]);
  });

  it("takes __proto__ for an id like any other", () => {
    const hostile = events({ type: "agent_spawned", agent: JSON.parse('{"id":"__proto__","role":"r"}') });
    const { agents } = replayOrchestration(null, hostile);
    expect(Object.keys(agents)).toEqual(["__proto__"]);
    expect(runToEnd(listAgents(replayOrchestration(null, hostile), hostile))).toMatchObject([
      { agentId: "__proto__" },
    ]);
  });
});

describe("The replay of a long log", () => {
  /** Counts how often the ids of queued inputs are read while all of them are removed, in queue order. */
  function readsOfIds(inputs: number): number {
    let reads = 0;
    const queued = (i: number): JsonObject => ({
      get id() {
        reads++;
        return `i${i}`;
      },
    });
    const checkpoint: OrchestrationSnapshot = {
      tasks: {},
      agents: {},
      waits: {},
      queuedInputs: Array.from({ length: inputs }, (_, i) => queued(i)),
    };
    const removals = Array.from({ length: inputs }, (_, i) => ({
      type: "agent_input_removed",
      inputId: `i${i}`,
    }));
    expect(replayOrchestration(checkpoint, removals).queuedInputs).toEqual([]);
    return reads;
  }

  it.each([1_000, 10_000])("visits each of %i queued inputs a few times", (inputs) => {
    expect(readsOfIds(inputs)).toBeLessThan(4 * inputs);
  });

  it("ends with what was queued and not removed, in the order in which it was queued", () => {
    const queue = (i: number) => ({ type: "agent_input_queued", input: { id: `i${i}`, agentId: "a1" } });
    const remove = (i: number) => ({ type: "agent_input_removed", inputId: `i${i}` });
    const log = Array.from({ length: 20_000 }, (_, i) => (i % 4 === 3 ? remove(i - 1) : queue(i)));
    const { queuedInputs } = replayOrchestration(null, log);
    const left = Array.from({ length: 20_000 }, (_, i) => i).filter((i) => i % 4 < 2);
    expect(queuedInputs.map(({ id }) => id)).toEqual(left.map((i) => `i${i}`));
  });

  it("pauses every few hundred events", () => {
    const steps = replayInSteps(
      null,
      Array.from({ length: 20_000 }, () => LIFE[1]),
    );
    let pauses = 0;
    while (steps.next().done !== true) pauses++;
    expect(pauses).toBeGreaterThan(50);
  });
});

describe("listAgents", () => {
  it("counts the events that name an agent, wherever they name it", () => {
    const [agent] = runToEnd(listAgents(replayOrchestration(null, LIFE), LIFE));
    expect(agent).toMatchObject({ agentId: "a1", displayName: "Reader", role: "researcher", events: 7 });
  });

  it("orders by creation, then by id, and falls back from name to role to id", () => {
    const log = events(
      { type: "agent_spawned", occurredAt: AT(5), agent: { id: "b", role: "writer" } },
      { type: "agent_spawned", occurredAt: AT(5), agent: { id: "a" } },
      {
        type: "agent_spawned",
        occurredAt: AT(1),
        agent: { id: "z", displayName: "Zed", parentAgentId: "a" },
      },
    );
    const agents = runToEnd(listAgents(replayOrchestration(null, log), log));
    expect(agents.map(({ agentId, displayName }) => [agentId, displayName])).toEqual([
      ["z", "Zed"],
      ["a", "a"],
      ["b", "writer"],
    ]);
    expect(agents[0]?.parentAgentId).toBe("a");
    expect(agents[1]).not.toHaveProperty("parentAgentId");
    expect(agents[1]).not.toHaveProperty("lastJob");
    expect(agents[1]).not.toHaveProperty("closedAt");
  });
});
