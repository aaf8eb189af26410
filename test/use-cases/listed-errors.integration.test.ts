import { rename } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryDataSource } from "../../src/adapters/memory/memory-data-source.js";
import { MemorySessionStore } from "../../src/adapters/memory/memory-session-store.js";
import { MemoryState } from "../../src/adapters/memory/memory-state.js";
import type { RecordedTrace } from "../../src/application/recording/recorded-session.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { createCodexDataSource } from "../../src/codex.js";
import { writeDemo } from "../../src/demo/write-demo.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import { type EventFacts, readEventFacts } from "../../src/domain/spans/event-facts.js";
import type { RecordableEvent } from "../../src/domain/trace/runtime-event.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { traceModel } from "../../ui/src/model/trace/trace-model.js";
import {
  assistantRecord,
  FIXTURES,
  lines,
  newProjects,
  userRecord,
} from "../claude-code/support/projects.js";
import * as codex from "../codex/support/homes.js";
import { inspect } from "../support/inspector.js";
import { allHistories, inTurn } from "../support/shared-histories.js";
import { runs } from "../support/soak.js";

const OPTIONS = { threads: false } as const;
/** All its ids were cut to the same text, so its calls are indistinguishable. */
const CUT_IDS = "copilot-cli, agent-sessions";

const HISTORIES = inTurn(allHistories(), ({ folder }) => folder).filter(({ name }) => name !== CUT_IDS);

describe("errors in the list of histories", () => {
  it.each(HISTORIES)("are those that the page counts in the trace: $name", async ({ open }) =>
    expectAsCounted(await open()),
  );
});

describe("errors in the list of sample histories", () => {
  it("are those that the page counts in the trace", () =>
    expectAsCounted(createClaudeCodeDataSource(FIXTURES, OPTIONS)));

  it("count a call and what failed in the agent that it spawned once", async () => {
    const task = { type: "tool_use", id: "task", name: "Task", input: { prompt: "Look." } };
    const read = { type: "tool_use", id: "read", name: "Read", input: {} };
    const failed = (id: string) => [{ type: "tool_result", tool_use_id: id, is_error: true, content: "no" }];
    const own = (...records: readonly object[]) => records.map((one) => ({ ...one, agentId: "a1" }));
    const session = [userRecord(1, 0, "Go."), assistantRecord(2, 1, "m1", [task])];
    const agent = own(userRecord(3, 2, "Look."), assistantRecord(4, 3, "m2", [read]));
    const end = userRecord(6, 5, failed("task"));
    const root = await newProjects({
      "a/alone.jsonl": lines(...session, end),
      "b/both.jsonl": lines(...session, ...agent, ...own(userRecord(5, 4, failed("read"))), end),
      "c/job.jsonl": lines(...session, ...agent, end),
    });
    const source = createClaudeCodeDataSource(root, OPTIONS);
    await expectAsCounted(source);
    const items = await source.listSessions();
    const errors = Object.fromEntries(items.map((item) => [item.sessionId, item.errors]));
    // The job of the failed call failed too, and so did a call in it.
    expect(errors).toEqual({ alone: 1, job: 1, both: 2 });
  });

  it("count no call that a person refused, nor the job of an agent that they did not want", async () => {
    const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    const call = (id: string, name: string) => ({ type: "tool_use", id, name, input: { prompt: "Look." } });
    const ended = (n: number, id: string, content: unknown) =>
      userRecord(n, n, [{ type: "tool_result", tool_use_id: id, is_error: true, content }]);
    const root = await newProjects({
      "a/s.jsonl": lines(
        userRecord(1, 1, "Go."),
        assistantRecord(2, 2, "m1", [call("read", "Read"), call("edit", "Edit"), call("task", "Task")]),
        ended(3, "read", refusal),
        ended(4, "edit", [{ type: "text", text: refusal }]),
        { ...ended(5, "task", refusal), toolUseResult: { agentId: "a1" } },
        assistantRecord(6, 6, "m2", [call("bash", "Bash")]),
        ended(7, "bash", `Exit code 1: ${refusal}`),
      ),
    });
    const source = createClaudeCodeDataSource(root, OPTIONS);
    await expectAsCounted(source);
    const [item] = await source.listSessions();
    expect(item!.errors).toBe(1);
    const { tenantId, sessionId } = item!;
    const envelopes = await source.loadTraceEnvelopes(tenantId, sessionId);
    const ends = envelopes.map(({ event }) => event).filter(({ type }) => type === "tool.end");
    expect(ends.map(({ isError, refused }) => [isError, refused])).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [true, undefined],
    ]);
    const events = await source.loadOrchestrationEvents(tenantId, sessionId);
    const job = expect.objectContaining({ outcome: "cancelled", outputText: refusal });
    expect(events).toContainEqual(expect.objectContaining({ type: "agent_job_failed", job }));
  });

  it("count a hook that failed beside the call and the turn that failed around it", async () => {
    const read = { type: "tool_use", id: "read", name: "Read", input: {} };
    const task = { type: "tool_use", id: "task", name: "Task", input: { prompt: "Look." } };
    const failed = (id: string) => [{ type: "tool_result", tool_use_id: id, is_error: true, content: "no" }];
    const hook = (n: number, type: string, rest: object = {}) => ({
      ...userRecord(n, n, ""),
      type: "attachment",
      message: undefined,
      attachment: { type, hookName: "PreToolUse:Read", toolUseID: "read", ...rest },
    });
    const summary = (n: number, hookErrors: readonly string[]) => ({
      ...userRecord(n, n, ""),
      type: "system",
      subtype: "stop_hook_summary",
      message: undefined,
      hookErrors,
    });
    const begin = [userRecord(1, 1, "Go."), assistantRecord(2, 2, "m1", [read])];
    const own = { agentId: "a1" };
    const root = await newProjects({
      "a/alone.jsonl": lines(
        ...begin,
        hook(3, "hook_blocking_error", { blockingError: "no" }),
        summary(4, []),
      ),
      "b/beside.jsonl": lines(
        ...begin,
        hook(3, "hook_non_blocking_error", { stderr: "no" }),
        hook(4, "hook_success"),
        userRecord(5, 5, failed("read")),
        summary(6, ["exit 2"]),
      ),
      "c/within.jsonl": lines(
        userRecord(1, 1, "Go."),
        assistantRecord(2, 2, "m1", [task]),
        { ...userRecord(3, 3, "Look."), ...own },
        { ...hook(4, "hook_non_blocking_error"), ...own },
        userRecord(5, 5, failed("task")),
      ),
    });
    const source = createClaudeCodeDataSource(root, OPTIONS);
    await expectAsCounted(source);
    const items = await source.listSessions();
    // In `both`, the job failed because the call did, and a hook in it failed.
    expect(Object.fromEntries(items.map(({ sessionId, errors }) => [sessionId, errors]))).toEqual({
      alone: 1,
      beside: 3,
      within: 2,
    });
  });

  it("count a turn that failed by itself, what two records tell once, and no copy", async () => {
    const failed = [
      codex.called("c1", "shell", { command: ["false"] }),
      codex.event("exec_command_end", { call_id: "c1", exit_code: 1, aggregated_output: "" }),
      codex.answered("c1", "Exit code: 1\nOutput:\n"),
    ];
    const silent = [codex.started("t1"), ...codex.prompted("Go."), codex.completed("t1", null)];
    const broken = [
      codex.started("t2"),
      ...failed,
      codex.event("task_complete", { turn_id: "t2", error: "no" }),
    ];
    const said = codex.said("assistant", "Schluß – für heute.");
    const context: codex.Rec = ["turn_context", { model: "a-model", cwd: codex.CWD }];
    const parent = codex.lines([codex.meta("parent"), context, ...silent, ...broken, said]);
    const copies = parent.split("\n").slice(1).join("\n");
    const home = await codex.newHome({
      [codex.rolloutOf("parent")]: codex.packed(parent),
      [codex.rolloutOf("fork", "2026/07/02")]:
        codex.lines([codex.meta("fork", { forked_from_id: "parent" })]) +
        copies +
        codex.lines([codex.started("t3"), ...failed, codex.completed("t3")], 60),
    });
    await rename(
      path.join(home, codex.rolloutOf("parent")),
      path.join(home, `${codex.rolloutOf("parent")}.zst`),
    );
    const source = createCodexDataSource(home, OPTIONS);
    const items = Object.fromEntries((await source.listSessions()).map((one) => [one.sessionId, one]));
    expect(items.parent).toMatchObject({ errors: 2, model: "a-model", lastAnswer: "Schluß – für heute." });
    expect(items.fork).toMatchObject({ errors: 1, model: "a-model" });
    expect(items.fork!.lastAnswer).toBeUndefined();
    await expectAsCounted(source);
  });
});

async function expectAsCounted(source: InspectorDataSource): Promise<void> {
  const listed = new Map<string, number>();
  const counted = new Map<string, number>();
  for (const item of await source.listSessions()) {
    if (item.errors === undefined) continue;
    const place = `${item.tenantId} ${item.sessionId}`;
    listed.set(place, item.errors);
    counted.set(place, await errorsInTrace(source, item));
  }
  await source.close?.();
  expect(listed).toEqual(counted);
}

describe("errors in the list of what was recorded", () => {
  it("are those that the page counts in the trace, in every session of the demo", async () => {
    const state = new MemoryState();
    const store = new MemorySessionStore(state);
    await writeDemo((clock) => new SessionRecorder(store, { clock }), Date.parse("2026-06-01T12:00:00.000Z"));
    const source = asDataSource(new MemoryDataSource(state));
    const items = await source.listSessions();
    for (const item of items) {
      expect([item.title, item.errors]).toEqual([item.title, await errorsInTrace(source, item)]);
    }
    expect(items.filter(({ errors }) => errors! > 0).length).toBeGreaterThan(3);
  });

  it("are those that the page counts, whatever fails in runs, turns and sub-agents", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 40 }), async (steps) => {
        const { source, item } = await record(steps);
        expect(item.errors).toBe(await errorsInTrace(source, item));
      }),
      { numRuns: runs(100) },
    );
  });
});

type Step = readonly [
  kind:
    | "turn"
    | "end turn"
    | "run"
    | "end run"
    | "tool"
    | "end tool"
    | "llm"
    | "error"
    | "hook"
    | "status"
    | "spawn"
    | "end job",
  fails: boolean,
  isAgents: boolean,
];

const STEP: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom<Step[0]>(
    "turn",
    "end turn",
    "run",
    "end run",
    "tool",
    "end tool",
    "llm",
    "error",
    "hook",
    "status",
    "spawn",
    "end job",
  ),
  fc.boolean(),
  fc.boolean(),
);

/** A sub-agent works within the call that spawned it. */
async function record(steps: readonly Step[]) {
  const state = new MemoryState();
  const recorder = new SessionRecorder(new MemorySessionStore(state));
  const session = await recorder.open({ tenantId: "t", sessionId: "s" });
  const main = session.startTrace("main");
  let agents = 0;
  let calls = 0;
  let at = Date.parse("2026-06-01T12:00:00.000Z");
  /** Open calls of the main agent, with the agent that works in each. */
  const open: { id: string; agent?: { id: string; trace: RecordedTrace } }[] = [];
  const record = (trace: RecordedTrace, event: RecordableEvent) => trace.record(event, { at: at++ });
  const outcome = (fails: boolean) => ({ outcome: fails ? "failed" : "completed" }) as const;
  for (const [kind, fails, isAgents] of steps) {
    const working = open.at(-1)?.agent;
    const trace = (isAgents ? working?.trace : undefined) ?? main;
    // The main agent may not end anything around an open call.
    const isFree = trace !== main || open.length === 0;
    if (kind === "turn" && isFree) record(trace, { type: "turn.start", turnIndex: 0 });
    else if (kind === "end turn" && isFree)
      record(trace, { type: "turn.end", turnIndex: 0, ...outcome(fails) });
    else if (kind === "run" && isFree) record(trace, { type: "run.start", runId: "r" });
    else if (kind === "end run" && isFree) record(trace, { type: "run.end", runId: "r", ...outcome(fails) });
    else if (kind === "error") record(trace, { type: "error", error: { message: "no" } });
    else if (kind === "hook") {
      const toolCallId = open.at(-1)?.id;
      record(trace, { type: "app.hook", bookkeeping: "hook", toolCallId, isError: fails });
    } else if (kind === "status" && working !== undefined) {
      const status = fails ? "failed" : "running";
      session.recordOrchestration(
        { type: "agent_status_changed", agentId: working.id, status },
        { at: at++ },
      );
    } else if (kind === "llm") {
      const callId = `c${calls++}`;
      record(trace, { type: "llm.start", callId });
      record(trace, { type: "llm.end", callId, ...(fails ? { error: "overloaded" } : {}) });
    } else if (kind === "tool" && trace === main && open.length === 0) {
      open.push({ id: `c${calls++}` });
      record(main, { type: "tool.start", toolCallId: open[0]!.id, toolName: "delegate" });
    } else if (kind === "end tool" && open.length > 0) {
      const { id } = open.pop()!;
      record(main, { type: "tool.end", toolCallId: id, toolName: "delegate", isError: fails });
    } else if (kind === "spawn" && open.length > 0 && working === undefined) {
      const id = `a${agents++}`;
      open.at(-1)!.agent = { id, trace: session.startTrace(id) };
      const toolCallId = open.at(-1)!.id;
      session.recordOrchestration(
        { type: "agent_spawned", toolCallId, agent: { id, role: "r" } },
        { at: at++ },
      );
      session.recordOrchestration({ type: "agent_job_started", agentId: id, jobId: id }, { at: at++ });
    } else if (kind === "end job" && working !== undefined) {
      const type = fails ? "agent_job_failed" : "agent_job_completed";
      const job = { jobId: working.id, ...outcome(fails) };
      session.recordOrchestration({ type, agentId: working.id, job }, { at: at++ });
    }
  }
  await recorder.flush();
  const source = asDataSource(new MemoryDataSource(state));
  return { source, item: (await source.listSessions())[0]! };
}

/** As the page counts: the served trace, and the agents beside it. */
async function errorsInTrace(source: InspectorDataSource, item: InspectorSessionItem): Promise<number> {
  const inspector = inspect(source);
  const read = async (list: string): Promise<JsonObject> => {
    const session = `${item.sessionId}/${list}?tenantId=${encodeURIComponent(item.tenantId)}`;
    return (await (await inspector.open(`/sessions/${session}`)).json()) as JsonObject;
  };
  const { envelopes } = (await read("trace")) as { envelopes: JsonObject[] };
  const { agents } = (await read("orchestration")) as { agents: { agentId: string }[] };
  const events: EventFacts[] = [];
  for (const [index, envelope] of envelopes.entries())
    events.push(readEventFacts(envelope, index, events.at(-1)?.at ?? 0));
  return traceModel(events, new Set(agents.map(({ agentId }) => agentId))).totals.errors;
}
