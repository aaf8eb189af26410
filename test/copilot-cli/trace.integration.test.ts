import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json/json.js";
import { type EventFacts, readEventFacts } from "../../src/domain/spans/event-facts.js";
import type { InspectorDataSource } from "../../src/index.js";
import { traceModel } from "../../ui/src/model/trace/trace-model.js";
import { inspect } from "../support/inspector.js";
import {
  answered,
  asking,
  begun,
  type Data,
  ended,
  eventsOf,
  type Happening,
  happens,
  lines,
  newHome,
  openHome,
  prompted,
  shutDown,
  started,
} from "./support/homes.js";

const TENANT = "-home-ada-shop";

async function read(...happenings: readonly (Happening | readonly Happening[])[]) {
  const source = openHome(await newHome({ [eventsOf("s1")]: lines(started("s1"), ...happenings) }));
  const [item] = await source.listSessions();
  const trace = await source.loadTraceEnvelopes(TENANT, "s1");
  const events = trace.map(({ event }) => event);
  const told = (await source.loadOrchestrationEvents(TENANT, "s1")) as JsonObject[];
  expect(item!.errors).toBe(await errorsOnPage(source));
  return {
    source,
    item: item!,
    trace,
    of: (type: string, agentId?: string) =>
      events.filter((event) => event.type === type && event.agentId === agentId),
    agents: told.filter(({ type }) => type === "agent_spawned"),
    jobs: told.filter(({ type }) => type === "agent_job_completed" || type === "agent_job_failed"),
  };
}

async function errorsOnPage(source: InspectorDataSource): Promise<number> {
  const answer = await inspect(source).open(`/sessions/s1/trace?tenantId=${TENANT}`);
  const { envelopes } = (await answer.json()) as { envelopes: JsonObject[] };
  const facts: EventFacts[] = [];
  for (const [i, envelope] of envelopes.entries())
    facts.push(readEventFacts(envelope, i, facts.at(-1)?.at ?? 0));
  const agents = facts.flatMap(({ agentId }) => agentId ?? []);
  return traceModel(facts, new Set(agents)).totals.errors;
}

const outcomes = (events: readonly JsonObject[]) => events.map(({ outcome }) => outcome);

describe("The turns of a session of Copilot CLI", () => {
  it("begin with what a person typed, and end where the model fell silent", async () => {
    const { item, of } = await read(
      prompted(1, "Count the books."),
      answered(5, "c1", "Seven."),
      prompted(20, "And the shelves?", { delivery: "queued" }),
      answered(25, "c2", "Two."),
    );
    expect(item).toMatchObject({
      turns: 2,
      title: "Count the books.",
      lastAnswer: "Two.",
    });
    expect(of("turn.start").map(({ input }) => input)).toEqual(["Count the books.", "And the shelves?"]);
    expect(outcomes(of("turn.end"))).toEqual(["completed", "completed"]);
  });

  it("hold what comes while the model works: skills, what a person adds, and what an autopilot says", async () => {
    const { item, of } = await read(
      prompted(1, "Count the books."),
      answered(5, "c1", "", asking("t1", "skill")),
      prompted(6, "<skill-context>", { source: "skill-count" }),
      prompted(7, "Quickly.", { delivery: "steering" }),
      answered(9, "c2", "Seven."),
      prompted(10, "Go on.", { isAutopilotContinuation: true }),
      answered(12, "c3", "All done."),
      prompted(13, "Thanks.", { delivery: "steering" }),
    );
    expect(item.turns).toBe(2);
    expect(of("turn.start").map(({ input }) => input)).toEqual(["Count the books.", "Thanks."]);
    const said = of("text").filter(({ role }) => role === "user");
    expect(said.map(({ text }) => text)).toEqual(["<skill-context>", "Quickly.", "Go on."]);
  });

  it("begin without a person where another agent asks a session", async () => {
    const { item, of } = await read(
      prompted(1, "Count.", { source: "agent-x" }),
      answered(5, "c1", "Seven."),
    );
    expect(item.turns).toBe(0);
    expect(of("turn.start")).toMatchObject([{ input: "Count.", asked: false }]);
  });

  it("are cancelled by an abort, and by the end of the process; what is over is not", async () => {
    const { of, item } = await read(
      prompted(1, "One."),
      happens(2, "abort", { reason: "user_initiated" }),
      prompted(3, "Two."),
      answered(6, "c1", "", asking("t1", "bash")),
      shutDown(7, {}),
      happens(8, "session.resume", {}),
      prompted(9, "Three."),
      answered(12, "c2", "Done."),
      shutDown(13, {}),
      prompted(14, "Four."),
      shutDown(15, {}, { shutdownType: "error", errorReason: "out of memory" }),
    );
    expect(of("turn.end")).toMatchObject([
      { outcome: "cancelled", reason: "user_initiated" },
      { outcome: "cancelled", reason: "shutdown" },
      { outcome: "completed", derived: true },
      { outcome: "failed", reason: "out of memory" },
    ]);
    expect(item.status).toBe("error");
  });

  it("fail with a request that failed, unless the model answers again", async () => {
    const failure = happens(4, "session.error", {
      errorType: "quota",
      message: "402 No quota.",
      statusCode: 402,
    });
    const requests = [happens(2, "assistant.turn_start"), happens(3, "assistant.turn_end"), failure];
    const failed = await read(prompted(1, "Count."), requests, shutDown(5, {}));
    expect(failed.item).toMatchObject({ status: "error", errors: 1 });
    expect(outcomes(failed.of("turn.end"))).toEqual(["failed"]);
    const error = { message: "402 No quota.", type: "quota", statusCode: 402 };
    expect(failed.of("error")).toMatchObject([{ error }]);
    expect(failed.of("llm.start")).toEqual([]);
    const again = await read(prompted(1, "Count."), requests, answered(9, "c1", "Seven."));
    expect(again.item).toMatchObject({ status: "idle", errors: 1 });
    expect(outcomes(again.of("turn.end"))).toEqual(["completed"]);
  });
});

describe("The model calls of a session of Copilot CLI", () => {
  it("have the tokens of their record and last as long as it says", async () => {
    const used = {
      inputTokens: 100,
      cacheReadTokens: 40,
      cacheWriteTokens: 7,
      outputTokens: 10,
      reasoningTokens: 5,
    };
    const { trace, of } = await read(
      prompted(1, "Count."),
      answered(5, "c1", "Seven.", { outputTokens: 10 }, used),
    );
    const usage = { inputTokens: 60, cacheReadTokens: 40, cacheWriteTokens: 7, outputTokens: 10 };
    expect(of("llm.end")).toMatchObject([{ callId: "c1", model: "gpt-a", usage }]);
    const [start] = trace.filter(({ event }) => event.type === "llm.start");
    expect(start!.timestamp).toBe("2026-05-01T09:00:04.500Z");
  });

  it("are one where an answer comes in pieces, whichever record of it is first", async () => {
    const [begin, record, said, end] = answered(5, "c1", "Let me see.", {
      chunkIndex: 0,
      chunkCount: 2,
      outputTokens: 10,
    });
    const second = { ...said!, data: { ...said!.data, content: "Seven.", chunkIndex: 1 } };
    const { of, item } = await read(prompted(1, "Count."), [begin!, said!, record!, second, end!]);
    expect(of("llm.end")).toHaveLength(1);
    expect(item).toMatchObject({ tokens: 110, lastAnswer: "Seven.", status: "idle" });
  });

  it("are none where Copilot CLI itself calls a tool", async () => {
    const data = { messageId: "m9", content: "", ...asking("t9", "read_agent") };
    const { of, item } = await read(
      prompted(1, "Count."),
      happens(5, "assistant.message", data),
      begun(6, "t9", "read_agent"),
      ended(7, "t9", "Seven."),
      answered(9, "c1", "Seven."),
    );
    expect(of("llm.start").map(({ callId }) => callId)).toEqual(["c1"]);
    expect(of("tool.end")).toMatchObject([{ toolName: "read_agent", output: "Seven." }]);
    expect(item.usageByModel).toMatchObject([{ calls: 1 }]);
  });

  it("show a thought once that two records tell, and say that one is there that cannot be read", async () => {
    const [begin, ...rest] = answered(5, "c1", "Seven.", { reasoningText: "I count." });
    const { of } = await read(
      prompted(1, "Count."),
      [begin!, happens(4, "assistant.reasoning", { reasoningId: "r1", content: "I count." }), ...rest],
      answered(9, "c2", "Eight.", { reasoningText: "I count." }),
      answered(12, "c3", "Nine.", { encryptedContent: "xyz" }),
    );
    expect(of("thinking").map(({ text, encrypted }) => encrypted ?? text)).toEqual([
      "I count.",
      "I count.",
      true,
    ]);
  });

  it("have the model of the session where they name none", async () => {
    const old = (second: number, id: string) =>
      answered(second, id, "Yes.", { model: undefined, apiCallId: undefined, outputTokens: 3 }, null);
    const { of } = await read(
      prompted(1, "Count."),
      old(5, "c1"),
      happens(6, "session.model_change", { previousModel: "gpt-a", newModel: "gpt-b" }),
      old(9, "c2"),
    );
    expect(of("llm.end").map(({ callId, model }) => [callId, model])).toEqual([
      ["m-c1", "gpt-a"],
      ["m-c2", "gpt-b"],
    ]);
  });
});

describe("The totals of a session of Copilot CLI", () => {
  const old = (second: number, id: string, outputTokens: number, more: Data = {}) =>
    answered(second, id, "Yes.", { outputTokens, ...more }, null);
  const total = (inputTokens: number, outputTokens: number) => ({ "gpt-a": { inputTokens, outputTokens } });
  const used = (item: { readonly usage?: unknown }) =>
    item.usage as { inputTokens: number; outputTokens: number };

  it("say again what records of calls say, over all processes", async () => {
    const { item, of } = await read(
      prompted(1, "Count."),
      answered(5, "c1", "Seven."),
      shutDown(6, { "gpt-a": { inputTokens: 100, outputTokens: 10, cacheReadTokens: 40 } }),
      prompted(7, "Again."),
      answered(9, "c2", "Eight."),
      shutDown(10, { "gpt-a": { inputTokens: 200, outputTokens: 20, cacheReadTokens: 80 } }),
    );
    expect(item).toMatchObject({
      tokens: 220,
      usage: { inputTokens: 120, outputTokens: 20, cacheReadTokens: 80 },
    });
    expect(of("llm.end")).toHaveLength(2);
  });

  it("tell what the only call read, and of several calls what all of them did", async () => {
    const one = await read(prompted(1, "Count."), old(5, "c1", 10), shutDown(6, total(500, 10)));
    expect(used(one.item)).toMatchObject({ inputTokens: 500, outputTokens: 10 });
    expect(one.of("llm.end")).toMatchObject([
      { callId: "c1", usage: { inputTokens: 500, outputTokens: 10 } },
    ]);
    const two = await read(
      prompted(1, "Count."),
      old(5, "c1", 10),
      old(8, "c2", 20),
      shutDown(9, total(500, 30)),
    );
    expect(used(two.item)).toMatchObject({ inputTokens: 500, outputTokens: 30 });
    const usages = two.of("llm.end").map(({ usage }) => used({ usage }));
    expect(usages.map(({ inputTokens, outputTokens }) => `${inputTokens} ${outputTokens}`).sort()).toEqual([
      "0 10",
      "0 20",
      "500 0",
    ]);
  });

  it("go on over processes that name the same beginning, and begin anew where they name another, or fall", async () => {
    const sum = async (second: number, more: Data) => {
      const first = [
        prompted(1, "Count."),
        ...old(5, "c1", 10),
        ...old(7, "c2", 10),
        shutDown(8, total(500, 20)),
      ];
      const next = [prompted(11, "Again."), ...old(15, "c3", 10), ...old(17, "c4", 10)];
      const { item } = await read(first, next, shutDown(18, total(second, second === 900 ? 40 : 20), more));
      return [used(item).inputTokens, used(item).outputTokens];
    };
    expect(await sum(900, {})).toEqual([900, 40]);
    expect(await sum(600, { sessionStartTime: 2 })).toEqual([1_100, 40]);
    expect(await sum(300, {})).toEqual([800, 40]);
  });
});

describe("The tool calls of a session of Copilot CLI", () => {
  it("begin and end by their records, with exit codes, failures and refusals", async () => {
    const { of, item, source } = await read(
      prompted(1, "Count."),
      answered(5, "c1", "", asking("t1", "bash", { command: "false" })),
      ["t1", "t2", "t3", "t4", "t5"].map((id) => begun(6, id, "bash", { command: id })),
      ended(7, "t2", "no\n<exited with exit code 2>"),
      ended(8, "t1", "no", { shellExecution: { exitCode: 3 } }),
      ended(9, "t3", "", {
        success: false,
        result: undefined,
        error: { message: "No such file.", code: "failure" },
      }),
      ended(10, "t4", "", { success: false, result: undefined, error: { message: "No.", code: "rejected" } }),
    );
    expect(of("tool.start").map(({ toolCallId }) => toolCallId)).toEqual(["t1", "t2", "t3", "t4", "t5"]);
    expect(of("tool.end")).toMatchObject([
      { toolCallId: "t2", toolName: "bash", exitCode: 2, isError: false },
      { toolCallId: "t1", toolName: "bash", exitCode: 3, isError: false, output: "no" },
      { toolCallId: "t3", isError: true, output: "No such file.", code: "failure" },
      { toolCallId: "t4", isError: true, refused: true, output: "No." },
    ]);
    expect(item).toMatchObject({ errors: 1 });
    expect(await source.loadMessages(TENANT, "s1")).toHaveLength(6);
  });

  it("are one where a person ran the tool, which nobody waits for", async () => {
    const { of, item } = await read(
      prompted(1, "Count."),
      answered(5, "c1", "Seven."),
      happens(6, "tool.user_requested", { toolCallId: "t1", toolName: "bash", arguments: { command: "ls" } }),
      begun(6, "t1", "bash", { command: "ls" }),
      ended(7, "t1", "a", { isUserRequested: true }),
    );
    expect(of("tool.start")).toMatchObject([{ toolCallId: "t1", input: { command: "ls" } }]);
    expect(of("copilot-cli.tool.execution_start")).toMatchObject([{ repeats: true }]);
    expect(item).toMatchObject({ status: "idle", lastAnswer: "Seven." });
  });
});

describe("The sub-agents of a session of Copilot CLI", () => {
  const task = { agent_type: "explore", description: "Count files", prompt: "Count." };
  const call = answered(5, "c1", "", asking("t1", "task", task));
  const spawned = (more: Data = {}, agent?: string) =>
    happens(
      7,
      "subagent.started",
      { toolCallId: "t1", agentName: "explore", agentDisplayName: "counter", ...more },
      agent,
    );
  const work = [
    prompted(8, "Count.", { source: "agent-s1" }, "a1"),
    ...answered(11, "c2", "", asking("t2", "glob"), { inputTokens: 50, outputTokens: 5 }, "a1"),
    begun(12, "t2", "glob", {}, "a1"),
    ended(13, "t2", "a b c", {}, "a1"),
    ...answered(16, "c3", "Three.", {}, { inputTokens: 70, outputTokens: 7 }, "a1"),
  ];
  const done = happens(17, "subagent.completed", { toolCallId: "t1", totalToolCalls: 1 }, "a1");

  it("are conversations in the file, which a call spawned and whose end is its result", async () => {
    const { item, of, source, agents, jobs } = await read(
      [prompted(1, "Ask."), ...call, begun(6, "t1", "task", task), spawned({}, "a1"), ...work, done],
      ended(18, "t1", "Three."),
      answered(20, "c4", "It counted three."),
    );
    expect(item).toMatchObject({ turns: 1, tokens: 2 * 110 + 132, lastAnswer: "It counted three." });
    expect(of("turn.start", "a1")).toMatchObject([{ input: "Count." }]);
    expect(of("turn.end", "a1")).toMatchObject([{ outcome: "completed", totalToolCalls: 1 }]);
    expect(agents[0]).toMatchObject({ agent: { id: "a1", role: "explore", displayName: "Count files" } });
    expect(jobs).toMatchObject([{ job: { jobId: "t1", outcome: "completed", outputText: "Three." } }]);
    const messages = (await source.loadMessages(TENANT, "s1")) as JsonObject[];
    expect(messages.some(({ agentId }) => agentId === "a1")).toBe(false);
  });

  it("spawn others, whose caller they are", async () => {
    const nested = { agent_type: "review", description: "Look", prompt: "Look." };
    const { agents, jobs } = await read(
      [prompted(1, "Ask."), ...call, begun(6, "t1", "task", task), spawned({}, "a1")],
      prompted(8, "Count.", { source: "agent-s1" }, "a1"),
      answered(11, "c2", "", asking("t9", "task", nested), { inputTokens: 50, outputTokens: 5 }, "a1"),
      begun(12, "t9", "task", nested, "a1"),
      happens(13, "subagent.started", { toolCallId: "t9", agentName: "review", parentId: "a1" }, "a2"),
      prompted(13, "Look.", { source: "agent-a1" }, "a2"),
      answered(16, "c3", "Fine.", {}, { inputTokens: 5, outputTokens: 5 }, "a2"),
      happens(17, "subagent.completed", { toolCallId: "t9" }, "a2"),
      ended(18, "t9", "Fine.", {}, "a1"),
      answered(20, "c4", "Three.", {}, { inputTokens: 5, outputTokens: 5 }, "a1"),
      done,
      ended(21, "t1", "Three."),
    );
    expect(agents.map(({ agent, parentAgentId }) => [(agent as JsonObject).id, parentAgentId])).toEqual([
      ["a1", undefined],
      ["a2", "a1"],
    ]);
    expect(jobs.map(({ job }) => (job as JsonObject).outputText)).toEqual(["Fine.", "Three."]);
  });

  it("go on in the background behind the call's result, and end as their own records say", async () => {
    const inBackground = spawned({ executionMode: "background" }, "a1");
    const { jobs, of, item } = await read(
      [prompted(1, "Ask."), ...call, begun(6, "t1", "task", task), inBackground],
      ended(7, "t1", "Agent started in background."),
      answered(9, "c9", "It counts."),
      [...work, done],
      happens(18, "system.notification", { content: "<done/>", kind: { type: "agent_idle", agentId: "a1" } }),
    );
    expect(jobs).toMatchObject([{ job: { jobId: "t1", outcome: "completed", outputText: "Three." } }]);
    expect(of("text").at(-1)).toMatchObject({ role: "system", text: "<done/>" });
    expect(item).toMatchObject({ status: "idle", lastAnswer: "It counts." });
  });

  it("fail with a reason, and are cancelled, in the background", async () => {
    const ends = {
      failed: happens(17, "subagent.failed", { toolCallId: "t1", error: "No quota." }, "a1"),
      cancelled: happens(17, "subagent.completed", { toolCallId: "t1", cancelled: true }, "a1"),
    };
    for (const [outcome, end] of Object.entries(ends)) {
      const { jobs, of, item } = await read(
        [
          prompted(1, "Ask."),
          ...call,
          begun(6, "t1", "task", { ...task, mode: "background" }),
          spawned({}, "a1"),
        ],
        ended(7, "t1", "Agent started in background."),
        [...work, end],
      );
      const error = outcome === "failed" ? { error: "No quota." } : {};
      expect(jobs).toMatchObject([{ job: { outcome, ...error } }]);
      expect(outcomes(of("turn.end", "a1"))).toEqual([outcome]);
      expect([outcome, item.errors]).toEqual([outcome, outcome === "failed" ? 2 : 0]);
    }
  });

  it("are known by the call that spawned them, in older versions", async () => {
    const of1 = { parentToolCallId: "t1" };
    const { item, of, jobs } = await read(
      [prompted(1, "Ask."), ...call, begun(6, "t1", "task", task), spawned()],
      happens(10, "assistant.message", {
        messageId: "m2",
        content: "Three.",
        outputTokens: 4,
        toolRequests: [],
        ...of1,
      }),
      happens(11, "subagent.completed", { toolCallId: "t1" }),
      ended(12, "t1", "Three."),
    );
    expect(of("llm.end", "t1")).toMatchObject([{ callId: "m2", model: "gpt-a" }]);
    expect(outcomes(of("turn.end", "t1"))).toEqual(["completed"]);
    expect(item.turns).toBe(1);
    expect(jobs).toMatchObject([{ agentId: "t1", job: { outputText: "Three." } }]);
  });
});

describe("The context of a session of Copilot CLI", () => {
  const seen = async (...happenings: readonly (Happening | readonly Happening[])[]) => {
    const { source, ...rest } = await read(...happenings);
    const snapshot = (await source.openSession!(TENANT, "s1"))!;
    return { ...rest, removals: (await snapshot.messages()).outline!.removals };
  };
  const system = (second: number) =>
    happens(second, "system.message", { role: "system", content: "Be brief." });
  const tokens = { inputTokens: 90, outputTokens: 9, cacheReadTokens: 0, duration: 1_500, model: "gpt-c" };

  it("loses all but the system prompt to a compaction, whose own call counts and takes no failure back", async () => {
    const { item, of, removals } = await seen(
      prompted(1, "Count."),
      system(2),
      answered(5, "c1", "Seven."),
      prompted(6, "Again."),
      happens(7, "session.error", { errorType: "query", message: "no" }),
      happens(10, "session.compaction_complete", {
        success: true,
        trigger: "manual",
        preCompactionTokens: 900,
        postCompactionTokens: 100,
        summaryContent: "Seven books.",
        compactionTokensUsed: tokens,
      }),
    );
    expect(item).toMatchObject({ tokens: 110 + 99, status: "error" });
    expect(of("compaction.end")).toMatchObject([
      { trigger: "manual", tokensBefore: 900, tokensAfter: 100, summary: "Seven books." },
    ]);
    expect(of("llm.end").at(-1)).toMatchObject({ model: "gpt-c", usage: { inputTokens: 90 } });
    expect(outcomes(of("turn.end"))).toEqual(["completed", "failed"]);
    expect(removals).toMatchObject([
      {
        cause: "compaction",
        messages: [
          [0, 1],
          [2, 4],
        ],
      },
    ]);
  });

  it("has one system prompt, the newest, and none of what was cleared; what a truncation took nobody knows", async () => {
    const { of, removals } = await seen(
      prompted(1, "Count."),
      system(2),
      prompted(3, "Again."),
      system(4),
      happens(5, "session.truncation", {
        preTruncationTokensInMessages: 9,
        messagesRemovedDuringTruncation: 1,
      }),
      happens(6, "session.context_cleared", { messagesCleared: 2 }),
      happens(7, "session.compaction_complete", { success: false, error: "no" }),
    );
    expect(of("compaction.end")).toMatchObject([
      { subtype: "truncation", tokensBefore: 9, messagesRemoved: 1 },
      { subtype: "context_cleared", messagesRemoved: 2 },
    ]);
    expect(of("copilot-cli.session.compaction_complete")).toMatchObject([{ isError: true, error: "no" }]);
    expect(removals).toMatchObject([
      { cause: "request", at: 3, messages: [[1, 2]] },
      { cause: "compaction", messages: [[0, 3]] },
    ]);
  });
});

describe("Other records of Copilot CLI", () => {
  it("pass through: its own notes as bookkeeping, and as they are what it says, or what nobody knows", async () => {
    const { of, item } = await read(
      prompted(1, "Count."),
      happens(2, "session.mode_changed", { previousMode: "interactive", newMode: "plan" }),
      happens(3, "session.warning", { warningType: "x", message: "Careful." }),
      happens(4, "session.later", { what: 5 }),
      happens(5, "hook.end", { hookType: "preToolUse", success: false, error: { message: "hook broke" } }),
    );
    expect(of("copilot-cli.session.mode_changed")).toMatchObject([{ bookkeeping: "record" }]);
    expect(of("copilot-cli.session.warning")[0]).not.toHaveProperty("bookkeeping");
    expect(of("copilot-cli.session.later")).toMatchObject([{ record: { data: { what: 5 } } }]);
    expect(of("copilot-cli.hook.end")).toMatchObject([
      { bookkeeping: "hook", hook: { name: "preToolUse" }, isError: true, error: { message: "hook broke" } },
    ]);
    expect(item.errors).toBe(1);
  });
});
