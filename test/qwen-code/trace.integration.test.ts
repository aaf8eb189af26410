import path from "node:path";
import { describe, expect, it } from "vitest";
import { openHistories } from "../../src/histories.js";
import {
  answer,
  at,
  CHAT,
  call,
  chain,
  lines,
  newHome,
  openQwenCode,
  openSession,
  response,
  result,
  system,
  told,
  user,
} from "./support/homes.js";

const SAID = [{ text: "Done." }];
const AGENT = "worker-t1";
const AGENT_FILE = `projects/-srv-shop/subagents/s1/agent-${AGENT}.jsonl`;
const OF_AGENT = { prompt_id: `s1#${AGENT}#0`, subagent_id: AGENT, subagent_name: "worker" };
const NOTE = {
  agentId: AGENT,
  agentType: "worker",
  description: "Count",
  toolUseId: "t1",
  parentAgentId: null,
  model: "qwen-y",
};

describe("Model calls that records and telemetry tell of", () => {
  it("count once, and last as long as telemetry says", async () => {
    const { item, trace } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Go."),
        response("t1", 9.9, 1, { duration_ms: 4_000 }),
        answer("a1", 10, SAID),
      ),
    });
    expect(item.usage).toEqual({
      inputTokens: 500,
      outputTokens: 10,
      cacheReadTokens: 500,
      cacheWriteTokens: 0,
    });
    const [start, end] = ["llm.start", "llm.end"].map((type) =>
      trace.filter(({ event }) => event.type === type),
    );
    expect(start!.map(({ timestamp }) => timestamp)).toEqual([at(5.9)]);
    expect(end!.map(({ event }) => [event.callId, event.model])).toEqual([["a1", "qwen-x"]]);
  });

  it("are calls of their own where no answer shows them: one that was tried again, and one that nobody answered", async () => {
    const { item, events } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Go."),
        response("t1", 2, 2),
        response("t2", 4, 1),
        answer("a1", 5, SAID),
        response("t3", 8, 3),
        user("u2", 9, "On."),
      ),
    });
    expect(item.tokens).toBe(6 * 1_010);
    expect(events("llm.end").map(({ callId }) => callId)).toEqual(["s1########1", "a1", "s1########1 (2)"]);
  });

  it("are told apart by their counts where another query ended between", async () => {
    const { item, events } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Go."),
        response("t1", 4, 1),
        response("t2", 4.5, 2, { prompt_id: "something-new", model: "qwen-small" }),
        answer("a1", 5, SAID),
      ),
    });
    expect(item.tokens).toBe(3 * 1_010);
    expect(events("llm.end").map(({ callId, model }) => [callId, model])).toEqual([
      ["something-new", "qwen-small"],
      ["a1", "qwen-x"],
    ]);
  });

  it("beside the conversation are calls of their own, also at the end of a file", async () => {
    const { item, events } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Go."),
        response("t1", 4, 1),
        answer("a1", 5, SAID),
        response("t2", 6, 2, { prompt_id: "side-query:session-title" }),
      ),
    });
    expect([item.tokens, item.status]).toEqual([3 * 1_010, "idle"]);
    expect(events("llm.end").at(-1)).toMatchObject({ callId: "side-query:session-title", durationMs: 500 });
  });

  it("have the tokens that telemetry told of where the answer has none", async () => {
    const { item } = await openSession({
      [CHAT]: chain(user("u1", 0, "Go."), response("t1", 4, 1), answer("a1", 5, SAID, 0)),
    });
    expect(item.tokens).toBe(1_010);
  });

  it("take thoughts on top only where the total does", async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 5,
      totalTokenCount: 115,
    };
    const { item } = await openSession({
      [CHAT]: chain(user("u1", 0, "Go."), answer("a1", 5, SAID, 0, { usageMetadata })),
    });
    expect(item.tokens).toBe(115);
  });

  it("of answers without telemetry count, too", async () => {
    const { item } = await openSession({ [CHAT]: chain(user("u1", 0, "Go."), answer("a1", 5, SAID)) });
    expect(item.tokens).toBe(1_010);
  });
});

describe("A request that failed", () => {
  const error = (more: object = {}) =>
    told("e1", 2, "api_error", {
      error_message: "400 No.",
      error_type: "Bad",
      status_code: 400,
      prompt_id: "s1########0",
      ...more,
    });

  it("fails its turn, unless the model answers after all", async () => {
    const failed = await openSession({ [CHAT]: chain(user("u1", 0, "Go."), error()) });
    expect(failed.item).toMatchObject({ status: "error", errors: 1 });
    expect(failed.events("error")).toMatchObject([
      { error: { message: "400 No.", type: "Bad", status: 400 }, durationMs: 500 },
    ]);
    const answered = await openSession({
      [CHAT]: chain(user("u1", 0, "Go."), error(), answer("a1", 5, SAID)),
    });
    expect(answered.item).toMatchObject({ status: "idle", errors: 1 });
    expect(answered.events("turn.end")).toMatchObject([{ outcome: "completed" }]);
  });

  it.each([
    ["of a sub-agent", OF_AGENT],
    ["beside the conversation", { prompt_id: "compress-5" }],
  ])("%s is an error that no turn fails for", async (_, more) => {
    const { item, events } = await openSession({
      [CHAT]: chain(user("u1", 0, "Go."), answer("a1", 1, SAID), error(more)),
    });
    expect(item).toMatchObject({ status: "idle", errors: 1 });
    expect(events("qwen-code.error")).toMatchObject([{ isError: true, error: { message: "400 No." } }]);
  });
});

describe("A tool call", () => {
  const calls = chain(
    user("u1", 0, "Go."),
    answer("a1", 1, [call("c1"), call("c2"), call("c3")]),
    told("t1", 2, "tool_call", { call_id: "c1", prompt_id: "s1########0" }),
    result("r1", 5, "c1", { output: "a b" }),
    result("r2", 5, "c2", { error: "no such file" }, { status: "error", errorType: "file_not_found" }),
    result("r3", 5, "c3", { error: "declined" }, { status: "cancelled" }),
  );

  it("ends when telemetry says, and says how", async () => {
    const { item, trace } = await openSession({ [CHAT]: calls });
    const ends = trace.filter(({ event }) => event.type === "tool.end");
    expect(ends.map(({ timestamp }) => timestamp)).toEqual([at(2), at(5), at(5)]);
    expect(ends.map(({ event }) => event)).toMatchObject([
      { toolCallId: "c1", output: "a b", isError: false, status: "success" },
      { toolCallId: "c2", output: "no such file", isError: true, errorType: "file_not_found" },
      { toolCallId: "c3", isError: true, refused: true },
    ]);
    expect(item.errors).toBe(1);
  });
});

describe("A prompt", () => {
  it("is what somebody typed: without reminders and what hooks added", async () => {
    const parts = (...texts: string[]) => ({
      message: { role: "user", parts: texts.map((text) => ({ text })) },
    });
    const hook = "<qwen:user-prompt-submit-context>\nRules\n</qwen:user-prompt-submit-context>";
    const { item, events } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "", parts("<system-reminder>\nRestored.\n</system-reminder>\n\n", "Count.", hook)),
        user("u2", 1, "", {
          ...parts("@a.txt and all of a.txt", hook),
          systemPayload: { displayText: "Read @a.txt", hookContext: "Rules" },
        }),
        user("u3", 2, "<system-reminder>Nobody asked.</system-reminder>"),
        user("u4", 3, "Faster!", { subtype: "mid_turn_user_message" }),
      ),
    });
    expect(item).toMatchObject({ title: "Count.", turns: 2, directory: "/srv/shop" });
    expect(events("turn.start").map(({ input }) => input)).toEqual([
      [{ type: "text", text: "Count." }],
      [{ type: "text", text: "Read @a.txt" }],
    ]);
    // Attachments stay in the record.
    expect(JSON.stringify(events("turn.start")[1]!.record)).toContain("all of a.txt");
    expect(events("text").map(({ role }) => role)).toEqual(["user", "user"]);
  });

  it("begins a turn that no person asked where the program gave it", async () => {
    const { item, events } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Go."),
        answer("a1", 1, SAID),
        user("u2", 9, "Look again.", { subtype: "cron" }),
      ),
    });
    expect(item.turns).toBe(1);
    expect(events("turn.start").map(({ asked }) => asked)).toEqual([undefined, false]);
  });

  it("ends its turn as the settled result says", async () => {
    const ended = (state: string) => system("x1", 5, "turn_result", { promptId: "p", state, endedAt: 5 });
    for (const [state, outcome] of [
      ["completed", "completed"],
      ["cancelled", "cancelled"],
      ["error", "failed"],
    ] as const) {
      const { events } = await openSession({
        [CHAT]: chain(user("u1", 0, "Go."), ended(state), ended(state)),
      });
      expect(events("turn.end")).toMatchObject([{ outcome }]);
      expect(events("qwen-code.turn_result")).toHaveLength(1);
    }
  });
});

describe("The title", () => {
  it("is the one that somebody gave, else that of a model, else what was asked", async () => {
    const title = (customTitle: string, titleSource?: string) =>
      system("x1", 5, "custom_title", { customTitle, titleSource });
    const titled = async (...records: ReturnType<typeof title>[]) =>
      (await openSession({ [CHAT]: chain(user("u1", 0, "Count."), ...records) })).item.title;
    expect(await titled()).toBe("Count.");
    expect(await titled(title("By a model", "auto"))).toBe("By a model");
    expect(await titled(title("Mine", "manual"), title("By a model", "auto"))).toBe("Mine");
    expect(await titled(title("Old one"))).toBe("Old one");
  });
});

describe("What leaves the context", () => {
  const history = [{ role: "user", parts: [{ text: "<state_snapshot>Two.</state_snapshot>" }] }];
  const compression = system("c1", 20, "chat_compression", {
    info: { originalTokenCount: 900, newTokenCount: 90, triggerReason: "manual" },
    compressedHistory: history,
  });

  it("by a compression is all before it: its history is no new message", async () => {
    const { events, messages, outline, trace } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Count."),
        answer("a1", 1, SAID),
        response("t1", 19, 3, { prompt_id: "compress-7", duration_ms: 8_000 }),
        compression,
        user("u2", 30, "On."),
        answer("a2", 31, SAID),
      ),
    });
    expect(events("compaction.end")).toMatchObject([
      {
        trigger: "manual",
        tokensBefore: 900,
        tokensAfter: 90,
        summary: "<state_snapshot>Two.</state_snapshot>",
      },
    ]);
    expect(trace.find(({ event }) => event.type === "compaction.start")!.timestamp).toBe(at(11));
    expect(messages).toHaveLength(5);
    expect(outline.removals).toMatchObject([
      { at: 3, cause: "compaction", messages: [[0, 2]], seen: [[2, 3]] },
    ]);
  });

  it("by a rewind is what was said since, and the turn that was going on is cancelled", async () => {
    const { item, events, outline } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Count."),
        answer("a1", 1, SAID),
        user("u2", 2, "Wrong."),
        answer("a2", 3, [call("c1")]),
        { ...system("x1", 4, "rewind", { truncatedCount: 2 }), parentUuid: "a1" },
        user("u3", 5, "Right."),
        answer("a3", 6, SAID),
      ),
    });
    expect(item.turns).toBe(3);
    expect(events("qwen-code.rewind")).toMatchObject([{ droppedMessages: 2 }]);
    expect(events("turn.end").map(({ outcome }) => outcome)).toEqual(["completed", "cancelled", "completed"]);
    expect(outline.removals).toMatchObject([{ at: 4, cause: "rewind", messages: [[2, 4]] }]);
  });

  it("is what lies behind the point that a session was resumed from", async () => {
    const { outline } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Count."),
        answer("a1", 1, SAID),
        user("u2", 2, "Wrong."),
        { ...user("u3", 5, "Right."), parentUuid: "a1" },
        // Records beside the conversation may continue an older one, and take nothing back.
        { ...system("x1", 6, "session_artifact_event", {}), parentUuid: "u1" },
        { ...user("u4", 7, "Nobody knows where this was."), parentUuid: "gone" },
      ),
    });
    expect(outline.removals).toMatchObject([{ at: 3, cause: "rewind", messages: [[2, 3]] }]);
  });

  it("comes back where somebody goes back to before a compression", async () => {
    const { outline } = await openSession({
      [CHAT]: chain(user("u1", 0, "Count."), answer("a1", 1, SAID), compression, {
        ...user("u2", 30, "Again."),
        parentUuid: "a1",
      }),
    });
    expect(outline.removals).toMatchObject([
      { cause: "compaction", messages: [[0, 2]] },
      { at: 3, cause: "rewind", messages: [[2, 3]], restored: [[0, 2]] },
    ]);
  });
});

describe("A sub-agent", () => {
  const spawning = [
    user("u1", 0, "Ask."),
    answer("a1", 1, [
      call("t1", "agent", { subagent_type: "worker", description: "Count", prompt: "Count it" }),
    ]),
    result(
      "r1",
      2,
      "t1",
      { output: "Background agent launched." },
      {
        resultDisplay: { type: "task_execution", subagentName: "worker", executionMode: "background" },
      },
    ),
    answer("a2", 3, SAID),
  ];
  const ending = user(
    "n1",
    9,
    "<task-notification>\n<task-id>worker-t1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n<summary>Done</summary>\n<result>Three.</result>\n<usage><total_tokens>7</total_tokens></usage>\n</task-notification>",
    { subtype: "notification", provenance: "system" },
  );
  const own = chain(
    user("b1", 2, "Count it"),
    answer("b2", 4, [], 2, { model: undefined }),
    answer("b3", 4.1, [call("d1")], 0, { model: undefined }),
    { ...result("b4", 5, "d1", { error: "no" }), toolCallResult: { callId: "d1", durationMs: 9 } },
    answer("b5", 6, [{ text: "Three." }], 1, { model: undefined }),
  );

  it("is linked to its call, ends with its notification, and its calls are those of its own file", async () => {
    const { item, trace, agents } = await openSession({
      [CHAT]: chain(...spawning, response("x1", 4, 2, OF_AGENT), response("x2", 6, 1, OF_AGENT), ending),
      [AGENT_FILE]: own,
      [AGENT_FILE.replace(".jsonl", ".meta.json")]: JSON.stringify(NOTE),
    });
    expect(agents).toMatchObject({
      [AGENT]: {
        role: "worker",
        displayName: "Count",
        status: "closed",
        lastJob: { jobId: "t1", outcome: "completed", outputText: "Three.", totalTokens: 7 },
      },
    });
    expect(Object.keys(agents)).toHaveLength(1);
    // Two calls of the session, two of the agent: one of them was written as two records.
    expect([item.tokens, item.turns, item.errors]).toEqual([5 * 1_010, 1, 1]);
    const ends = trace.filter(({ traceId, event }) => traceId === AGENT && event.type === "llm.end");
    expect(ends.map(({ event }) => [event.callId, event.model])).toEqual([
      ["b2", "qwen-y"],
      ["b5", "qwen-y"],
    ]);
    expect(item.usageByModel!.map(({ model }) => model).sort()).toEqual(["qwen-x", "qwen-y"]);
  });

  it("without a file has the calls that telemetry tells of", async () => {
    const legacy = { prompt_id: `s1#${AGENT}#0`, subagent_name: "worker" };
    const { item, trace, agents } = await openSession({
      [CHAT]: chain(...spawning, response("x1", 4, 2, legacy), response("x2", 6, 1, OF_AGENT), ending),
    });
    expect(Object.keys(agents)).toEqual([AGENT]);
    expect(agents[AGENT]).toMatchObject({ role: "worker", lastJob: { jobId: "t1", outcome: "completed" } });
    expect(item.tokens).toBe(5 * 1_010);
    expect(trace.filter(({ traceId, event }) => traceId === AGENT && event.type === "llm.end")).toHaveLength(
      2,
    );
  });

  it("of the program's own has its name as its role", async () => {
    const subagent_id = "managed-memory-0a1b2c3d";
    const { agents } = await openSession({
      [CHAT]: chain(
        user("u1", 0, "Go."),
        response("x1", 4, 2, { prompt_id: `s1#${subagent_id}#0`, subagent_id }),
      ),
    });
    expect(agents).toMatchObject({ [subagent_id]: { role: "managed-memory", status: "closed" } });
  });

  it("whose session is gone is a session by itself", async () => {
    const source = openQwenCode(
      await newHome({
        [AGENT_FILE]: own,
        [AGENT_FILE.replace(".jsonl", ".meta.json")]: JSON.stringify(NOTE),
        [CHAT.replace("s1", "s2")]: "",
      }),
    );
    const items = await source.listSessions();
    expect(items.find(({ sessionId }) => sessionId === `s1.${AGENT}`)).toMatchObject({
      title: `${AGENT}, a sub-agent of s1 (not here)`,
      tokens: 3 * 1_010,
    });
    await source.close?.();
  });
});

describe("A session that was branched off", () => {
  const original = [
    user("u1", 0, "Count."),
    answer("a1", 1, SAID),
    user("u2", 2, "On."),
    answer("a2", 3, SAID),
  ];
  const copies = (from: string) =>
    original.slice(0, 2).map((record) => ({
      ...record,
      sessionId: "s2",
      forkedFrom: { sessionId: from, messageUuid: record.uuid },
    }));
  const branch = (from: string) =>
    chain(
      ...copies(from),
      { ...user("v1", 9, "Elsewhere."), sessionId: "s2" },
      { ...answer("b1", 10, SAID), sessionId: "s2" },
    );
  const listed = async (files: Readonly<Record<string, string>>) => {
    const source = openQwenCode(await newHome(files));
    const items = await source.listSessions();
    const messages = await source.loadMessages("-srv-shop", "s2");
    const [trace] = await source.loadTraceEnvelopes("-srv-shop", "s2");
    await source.close?.();
    return {
      tokens: Object.fromEntries(items.map((item) => [item.sessionId, item.tokens])),
      messages,
      trace,
    };
  };
  const BRANCH = CHAT.replace("s1", "s2");

  it("counts no copy of a session that is here, but shows its messages", async () => {
    const { tokens, messages, trace } = await listed({ [CHAT]: chain(...original), [BRANCH]: branch("s1") });
    expect(tokens).toEqual({ s1: 2 * 1_010, s2: 1_010 });
    expect(messages).toHaveLength(4);
    expect(trace!.event).toMatchObject({ type: "session.start", replayed: 2 });
  });

  it("counts them where the other one is gone, or names it in turn", async () => {
    expect((await listed({ [BRANCH]: branch("s1") })).tokens).toEqual({ s2: 2 * 1_010 });
    const ring = {
      [CHAT]: branch("s2").replaceAll('"sessionId":"s2","cwd', '"sessionId":"s1","cwd'),
      [BRANCH]: branch("s1"),
    };
    expect((await listed(ring)).tokens).toEqual({ s1: 2 * 1_010, s2: 2 * 1_010 });
    expect((await listed({ [BRANCH]: branch("../chats/s2") })).tokens).toEqual({ s2: 2 * 1_010 });
  });
});

describe("One file that was named by itself", () => {
  it("is its session, with what it tells of sub-agents", async () => {
    const home = await newHome({
      [CHAT]: chain(user("u1", 0, "Go."), answer("a1", 1, SAID), response("x1", 4, 2, OF_AGENT)),
      [AGENT_FILE]: chain(user("b1", 2, "Count it")),
      copied: chain(user("u1", 0, "Go.")),
      "other.jsonl": lines({ type: "user", uuid: "u", sessionId: "s", message: { content: "Hi." } }),
    });
    const source = await openHistories("qwen-code", `${home}/${CHAT}`, { threads: false });
    expect(await source.listSessions()).toMatchObject([
      { tenantId: "-srv-shop", sessionId: "s1", tokens: 3 * 1_010 },
    ]);
    await source.close?.();
    const copied = await openHistories("qwen-code", `${home}/copied`, { threads: false });
    expect(await copied.listSessions()).toMatchObject([
      { tenantId: path.basename(home), sessionId: "copied", turns: 1 },
    ]);
    await copied.close?.();
    const other = await openHistories("qwen-code", `${home}/other.jsonl`, { threads: false });
    expect(await other.listSessions()).toEqual([]);
    await other.close?.();
  });
});
