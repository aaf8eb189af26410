import { describe, expect, it } from "vitest";
import { BASE, envelope, FakeApi, SESSION } from "../../../test/support/fake-api.js";
import { readAgentsQuery } from "../../model/agents/agents-query.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import { traceQuery } from "../trace/trace-protocol.js";

const START = Date.parse("2026-01-15T12:00:00.000Z");
const at = (second: number) => new Date(START + second * 1000).toISOString();

/** An event of the orchestration, or of the agent itself. */
const event = (second: number, type: string, fields: object, source = "orchestration") => ({
  ...envelope(second, type, fields),
  timestamp: at(second),
  source,
});

const agent = (agentId: string, from: number, to: number, parentAgentId?: string) => ({
  agentId,
  displayName: agentId.toUpperCase(),
  role: "worker",
  status: "closed",
  createdAt: at(from),
  closedAt: at(to),
  parentAgentId,
  events: 2,
});

const spawned = (second: number, id: string, fields: object = {}) =>
  event(second, "agent_spawned", { agent: { id }, ...fields });

async function open(agents: readonly object[], ...events: readonly object[]): Promise<EngineMethods> {
  const api = new FakeApi();
  const engine = engineMethods(BASE, () => undefined);
  api.change("trace", ...events);
  api.change("orchestration", ...agents);
  await engine.openSession(SESSION, traceQuery({}));
  return engine;
}

const view = (engine: EngineMethods, address = {}) => engine.agentsView(readAgentsQuery(address));

describe("Who waited for whom", () => {
  it("is what the orchestration's waits say: who waited, for several, and who ended it", async () => {
    const engine = await open(
      [agent("a", 10, 50), agent("b", 10, 80)],
      event(0, "turn.start", { turnIndex: 0 }, "runtime"),
      spawned(10, "a"),
      spawned(11, "b"),
      event(12, "wait_registered", { wait: { id: "w1", agentIds: ["a", "b"] } }),
      event(20, "wait_registered", { wait: { id: "w2", agentId: "b", agentIds: ["a"] } }),
      event(51, "wait_resolved", { waitId: "w2", resolution: { by: "a" } }),
      event(81, "wait_resolved", { waitId: "w1" }),
      event(90, "turn.end", { turnIndex: 0 }, "runtime"),
    );
    const { waits, path } = await view(engine);
    expect(waits).toMatchObject({
      source: "events",
      waiters: 2,
      ms: 100_000,
      top: [
        { agentId: "b", name: "B", waiters: 1, waiterName: "", ms: 69_000 },
        { agentId: "a", name: "A", waiters: 1, waiterName: "B", ms: 31_000 },
      ],
    });
    expect(path.longest.map(({ agentId, ms }) => [agentId, ms / 1000])).toEqual([
      ["main", 20],
      ["a", 40],
      ["b", 30],
    ]);
    expect(await engine.agentsDetail("b")).toMatchObject({
      waitedFor: [{ agentId: "a", ms: 31_000 }],
      awaited: { waiters: 1, ms: 69_000 },
      pathMs: 30_000,
    });
  });

  it("is told by calls of tools that sub-agents answer, of one that runs on as long as the call waits", async () => {
    const engine = await open(
      [agent("a", 2, 30)],
      event(0, "turn.start", { turnIndex: 0 }, "runtime"),
      event(1, "tool.start", { toolCallId: "t", toolName: "Task" }, "runtime"),
      spawned(2, "a", { toolCallId: "t" }),
      event(20, "tool.end", { toolCallId: "t", toolName: "Task" }, "runtime"),
      event(40, "turn.end", { turnIndex: 0 }, "runtime"),
    );
    const { waits } = await view(engine);
    expect(waits).toMatchObject({ source: "calls", top: [{ agentId: "a", ms: 18_000 }] });
  });

  it("is not known where nothing says it, and a wait that is not resolved lasts to the end", async () => {
    const quiet = await open([agent("a", 2, 30)], spawned(2, "a"), event(30, "turn.end", {}, "runtime"));
    expect((await view(quiet)).waits).toMatchObject({ source: "none", top: [], ms: 0 });
    const engine = await open(
      [agent("a", 2, 30)],
      spawned(2, "a"),
      event(3, "wait_registered", { wait: { id: "w", agentId: "a" } }),
      event(4, "wait_registered", { wait: { id: "v", agentId: ["a"], agentIds: "a" } }),
      event(5, "wait_registered", { wait: "a" }),
      event(60, "turn.start", { turnIndex: 0 }, "runtime"),
    );
    expect((await view(engine)).waits).toMatchObject({ source: "events", ms: 57_000 });
  });
});

describe("The rows of agents", () => {
  it("have what each agent did by itself, and the main agent all of it as a branch", async () => {
    const usage = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const engine = await open(
      [agent("a", 1, 9), agent("b", 2, 8, "a")],
      event(0, "turn.start", { turnIndex: 0, input: "Find it." }, "runtime"),
      event(1, "agent_job_started", { agentId: "b", job: { jobId: "i", prompt: "Look away." } }),
      event(1, "agent_job_started", { agentId: "b", job: { jobId: "j", prompt: "Look **here**." } }),
      event(1, "turn.start", { turnIndex: 1, input: "And now?" }, "runtime"),
      event(2, "llm.start", { callId: "c", agentId: "b", model: "m" }, "runtime"),
      event(4, "llm.end", { callId: "c", agentId: "b", usage }, "runtime"),
      event(5, "tool.start", { toolCallId: "t", toolName: "Read", agentId: "b" }, "runtime"),
      event(6, "tool.end", { toolCallId: "t", toolName: "Read", agentId: "b", isError: true }, "runtime"),
    );
    const { first } = await view(engine);
    expect(first.map(({ id, depth, sums }) => [id, depth, sums.agents, sums.tokens, sums.errors])).toEqual([
      ["main", 0, 3, 10, 1],
      ["a", 1, 2, 10, 1],
      ["b", 2, 1, 10, 1],
    ]);
    expect(first[0]).toMatchObject({ prompt: "Find it." });
    expect(first[2]).toMatchObject({ prompt: "Look here.", models: ["m"], state: "closed" });
    expect(first[2]?.lane.errors).toHaveLength(1);
    const own = await view(engine, { sums: "own", sort: "tokens", layout: "flat" });
    expect(own.first.map(({ id, sums }) => [id, sums.llmCalls])).toEqual([
      ["main", 0],
      ["a", 0],
      ["b", 1],
    ]);
  });

  it("fold and unfold, and are found again where they are folded away", async () => {
    const engine = await open(
      [agent("a", 1, 9), agent("b", 2, 8, "a"), agent("c", 3, 7, "b")],
      spawned(1, "a"),
    );
    await view(engine);
    expect((await engine.agentsFoldAll(true)).rows).toBe(1);
    const position = await engine.agentsLocate("c");
    expect([position.index, position.view.rows]).toEqual([3, 4]);
    expect((await engine.agentsToggle("a")).rows).toBe(2);
    expect((await engine.agentsFoldAll(false)).rows).toBe(4);
    expect((await engine.agentsLocate("nobody")).index).toBe(-1);
    expect(await engine.agentsDetail("nobody")).toBeUndefined();
  });
});
