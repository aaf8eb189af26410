import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHistories } from "../../src/histories.js";
import {
  agent,
  call,
  newFolder,
  openFiles,
  result,
  system,
  text,
  trajectory,
  user,
} from "./support/histories.js";

type Source = Awaited<ReturnType<typeof openFiles>>;

async function eventsOf(source: Source, tenantId: string, sessionId: string) {
  return (await source.loadTraceEnvelopes(tenantId, sessionId)).map(({ event }) => event);
}

const ofType = (events: Awaited<ReturnType<typeof eventsOf>>, type: string) =>
  events.filter((event) => event.type === type);

describe("a step", () => {
  it("of the agent is a model call with what it said, its tool calls and their results", async () => {
    const step = agent(2, "Looking.", {
      reasoning_content: "Where?",
      reasoning_effort: "high",
      tool_calls: [call("a"), call("b", "cat", { extra: { note: 1 } })],
      observation: {
        results: [
          result("b", "B", { extra: { is_error: true } }),
          result("a", "A"),
          result("x", "Nobody's."),
        ],
      },
    });
    const source = await openFiles({ "run.json": text(trajectory("s", [user(1, "Go."), step])) });
    const [{ tenantId, ...item } = { tenantId: "" }] = await source.listSessions();
    expect(item).toMatchObject({
      sessionId: "s",
      title: "Go.",
      turns: 1,
      errors: 1,
      model: "model-x",
      tokens: 110,
    });
    const events = (await eventsOf(source, tenantId, "s")).map(({ type, text: said, output, isError }) => [
      type,
      said ?? output,
      isError,
    ]);
    expect(events.slice(2)).toEqual([
      ["turn.start", undefined, undefined],
      ["llm.start", undefined, undefined],
      ["thinking", undefined, undefined],
      ["text", "Looking.", undefined],
      ["tool.start", undefined, undefined],
      ["tool.start", undefined, undefined],
      ["tool.end", "A", false],
      ["tool.end", "B", true],
      ["text", "Nobody's.", undefined],
      ["llm.end", undefined, undefined],
      ["turn.end", undefined, undefined],
    ]);
    const [end] = ofType(await eventsOf(source, tenantId, "s"), "llm.end");
    expect(end).toMatchObject({ model: "model-x", reasoningEffort: "high", costUSD: 0.01 });
  });

  it("that asked no model is no model call", async () => {
    const step = agent(2, "", { llm_call_count: 0, metrics: undefined, tool_calls: [call("a")] });
    const source = await openFiles({ "run.json": text(trajectory("s", [user(1, "Go."), step])) });
    const [{ tenantId, tokens } = { tenantId: "", tokens: -1 }] = await source.listSessions();
    const events = await eventsOf(source, tenantId, "s");
    expect([tokens, ofType(events, "llm.start"), ofType(events, "tool.start").length]).toEqual([0, [], 1]);
  });

  it("of an unknown source passes through under its name", async () => {
    const odd = { step_id: 2, source: "robot", message: "Beep." };
    const source = await openFiles({ "run.json": text(trajectory("s", [user(1, "Go."), odd])) });
    const [{ tenantId } = { tenantId: "" }] = await source.listSessions();
    expect(ofType(await eventsOf(source, tenantId, "s"), "atif.robot")).toMatchObject([{ record: odd }]);
  });

  it("that tells of a compaction takes from the context what lies before it", async () => {
    const summed = system(3, "Compacted.", {
      extra: { context_management: { type: "compaction" } },
      observation: { results: [{ content: "We count apples." }] },
    });
    const steps = [user(1, "Count."), agent(2, "One."), summed, agent(4, "Two.")];
    const source = await openFiles({ "run.json": text(trajectory("s", steps)) });
    const [{ tenantId } = { tenantId: "" }] = await source.listSessions();
    expect(ofType(await eventsOf(source, tenantId, "s"), "compaction.end")).toMatchObject([
      { summary: "We count apples." },
    ]);
    const outline = await (await source.openSession!(tenantId, "s"))!.messages();
    expect(outline.outline?.removals).toMatchObject([{ cause: "compaction", messages: [[0, 2]] }]);
  });
});

describe("a run", () => {
  const copied = { is_copied_context: true };

  it("goes on in other files, whose copied steps count in the first one alone", async () => {
    const first = [user(1, "Count."), agent(2, "One.")];
    const second = [
      user(1, "Count.", copied),
      agent(2, "One.", copied),
      agent(3, "Two."),
      agent(4, "Three."),
    ];
    const source = await openFiles({
      "j/t/agent/trajectory.json": text(
        trajectory("s", first, { continued_trajectory_ref: "trajectory.cont-1.json" }),
      ),
      "j/t/agent/trajectory.cont-1.json": text(trajectory("s", second)),
    });
    const items = await source.listSessions();
    expect(items).toMatchObject([{ tenantId: "j", sessionId: "s", title: "t", turns: 1, tokens: 330 }]);
    const messages = (await source.loadMessages("j", "s")) as { message: string }[];
    expect(messages.map(({ message }) => message)).toEqual(["Count.", "One.", "Two.", "Three."]);
    expect(ofType(await eventsOf(source, "j", "s"), "llm.end")).toHaveLength(3);
  });

  it("has sub-agents in files that are named by a path, an id or a session, each once", async () => {
    const names = [
      { trajectory_path: "a.json" },
      { trajectory_id: "b" },
      { session_id: "c-session" },
      { trajectory_path: "gone.json" },
    ];
    const steps = names.map((reference, i) =>
      agent(i + 2, "", {
        tool_calls: [call(`call ${i}`, "delegate")],
        observation: { results: [result(`call ${i}`, "Done.", { subagent_trajectory_ref: [reference] })] },
      }),
    );
    const own = [user(1, "Task."), agent(2, "Done.")];
    const source = await openFiles({
      "z.json": text(trajectory("s", [user(1, "Go."), ...steps])),
      "a.json": text(trajectory("a-session", own)),
      "b.json": text(trajectory("s", own, {}, { trajectory_id: "b" })),
      "c.json": text(trajectory("c-session", own)),
    });
    const items = await source.listSessions();
    expect(items).toMatchObject([{ sessionId: "s", tokens: 7 * 110 }]);
    const { agents } = (await source.loadOrchestrationState(items[0]!.tenantId, "s"))!.snapshot;
    expect(Object.keys(agents).sort()).toEqual(["a", "b", "c-session", "gone"]);
    const calls = (await source.loadOrchestrationEvents(items[0]!.tenantId, "s")).filter(
      (event) => (event as { type: string }).type === "agent_job_completed",
    );
    expect(calls).toHaveLength(4);
  });

  it("has sub-agents within it, however deep these have some themselves", async () => {
    const nested = (depth: number): object =>
      trajectory(
        undefined,
        [user(1, "Task."), agent(2, `At ${depth}.`)],
        depth === 3 ? {} : { subagent_trajectories: [nested(depth + 1)] },
        {
          trajectory_id: `agent ${depth}`,
        },
      );
    const source = await openFiles({
      "run.json": text(trajectory("s", [user(1, "Go.")], { subagent_trajectories: [nested(1)] })),
    });
    const [{ tenantId, tokens } = { tenantId: "", tokens: 0 }] = await source.listSessions();
    expect(tokens).toBe(330);
    const events = await eventsOf(source, tenantId, "s");
    expect(ofType(events, "text").map(({ agentId, text: said }) => [agentId, said])).toEqual([
      ["agent 1", "At 1."],
      ["agent 2", "At 2."],
      ["agent 3", "At 3."],
    ]);
    const messages = await (await source.openSession!(tenantId, "s"))!.messages("agent 2");
    expect(messages.size).toBe(2);
  });
});

describe("what is opened", () => {
  it("is a job, a folder of jobs, or one file with what it names, and nothing else that is JSON", async () => {
    const first = trajectory("s", [user(1, "Go.")], { continued_trajectory_ref: "cont.json" });
    const root = await newFolder({
      "jobs/job/t__1/agent/trajectory.json": text(first),
      "jobs/job/t__1/agent/cont.json": text(trajectory("s", [agent(1, "Done.")])),
      "jobs/job/t__1/result.json": text({ schema_version: "1", steps: [] }),
      "jobs/other/t__2/agent/trajectory.json": text(trajectory("s", [user(1, "Go.")])),
      "jobs/wrapped.json": text({ trajectories: [trajectory("s", [user(1, "Go.")])] }),
    });
    const listed = async (place: string) => {
      const source = await openHistories("atif", path.join(root, place), { threads: false });
      onTestFinished(() => source.close?.());
      return (await source.listSessions())
        .map((one) => `${one.tenantId} ${one.sessionId} ${one.title} ${one.tokens}`)
        .sort();
    };
    expect(await listed("jobs")).toEqual(["job s t__1 110", "other s t__2 0"]);
    expect(await listed("jobs/job")).toEqual(["job s t__1 110"]);
    expect(await listed("jobs/job/t__1/agent/trajectory.json")).toEqual(["agent s t__1 110"]);
  });
});
