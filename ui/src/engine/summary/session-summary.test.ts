import { expect, it } from "vitest";
import { BASE, envelope, FakeApi, SESSION } from "../../../test/support/fake-api.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import { type SessionState, traceQuery } from "../trace/trace-protocol.js";

const usage = (outputTokens: number) => ({
  inputTokens: 0,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
});

/** A model call of an agent, or of the main one. */
const call = (at: number, agentId: string | undefined, model: string, tokens: number) => [
  envelope(at, "llm.start", { callId: `c${at}`, agentId, model }),
  envelope(at + 1, "llm.end", { callId: `c${at}`, agentId, usage: usage(tokens) }),
];

async function open(...events: readonly object[]): Promise<{ engine: EngineMethods; state: SessionState }> {
  const api = new FakeApi();
  let state: SessionState | undefined;
  const engine = engineMethods(BASE, (update) => {
    if (update.topic === "session") state = update.state;
  });
  api.change("trace", ...events);
  api.change("orchestration", { agentId: "a" }, { agentId: "b" });
  await engine.openSession(SESSION, traceQuery({}));
  return { engine, state: state! };
}

it("a sub-agent has the models and the tokens of its own calls, and an address in the trace", async () => {
  const { engine, state } = await open(
    ...call(0, undefined, "big", 1000),
    ...call(2, "a", "small", 10),
    ...call(4, "a", "small", 20),
    ...call(6, "b", "other", 5),
  );
  const figures = state.tracedAgents.map(({ id, models, usage: { outputTokens } }) => [
    id,
    models,
    outputTokens,
  ]);
  expect(figures).toEqual([
    ["a", ["small"], 30],
    ["b", ["other"], 5],
  ]);
  const { index } = engine.traceLocate(state.tracedAgents[0]!.spanId);
  expect(engine.traceRows(index, index + 1)[0]).toMatchObject({ kind: "agent", agentId: "a" });
});

it("sub-agents are counted and sorted as agents, and not by what happens to them", async () => {
  const spawned = (at: number, id: string) =>
    envelope(at, "agent_spawned", { agent: { id, displayName: id } });
  const { engine, state } = await open(
    spawned(0, "a"),
    envelope(1, "agent_input_queued", { input: { agentId: "a" } }),
    envelope(2, "subagent_spawned", { agent: { id: "a" } }),
    spawned(3, "b"),
    envelope(4, "agent_input_queued", { input: { agentId: "b" } }),
  );
  const countOf = (kind: string) => state.kinds.find(({ value }) => value === kind)?.count;
  expect([countOf("agent"), countOf("unknown")]).toEqual([2, 2]);
  const agents = traceQuery({ kind: "agent", order: "-duration" });
  engine.traceView(agents);
  const rows = engine.traceRows(0, 10);
  expect(rows.map(({ kind, agentId }) => [kind, agentId])).toContainEqual(["agent", "b"]);
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(["agent"]));
});

it("what an agent was asked is in its last job, else in its last turn", async () => {
  const { engine } = await open(
    envelope(0, "turn.start", { agentId: "a", turnIndex: 0, input: "Look here." }),
    envelope(1, "turn.start", { agentId: "a", turnIndex: 1, input: "Look there." }),
    envelope(2, "agent_job_started", { agentId: "b", job: { prompt: "Look away." } }),
    envelope(3, "turn.start", { agentId: "b", turnIndex: 0, input: "A turn of the job." }),
    envelope(4, "agent_job_started", { agentId: "a", jobId: "j" }),
  );
  expect(engine.agentPrompt("a")).toBe("Look there.");
  expect(engine.agentPrompt("b")).toBe("Look away.");
  expect(engine.agentPrompt("c")).toBe("");
});
