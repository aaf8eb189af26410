import { appendFile, rename, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import {
  answered,
  at,
  CWD,
  called,
  completed,
  counted,
  event,
  eventsOf,
  item,
  lines,
  meta,
  newHome,
  openHome,
  prompted,
  type Rec,
  rolloutOf,
  said,
  started,
  TENANT,
  writeFiles,
} from "./support/homes.js";

const OWN: readonly Rec[] = [
  started("t1"),
  ["turn_context", { turn_id: "t1", model: "gpt-test" }],
  ...prompted("Count the books"),
  called("c1", "spawn_agent", { task_name: "count", message: "Count shelf 1", agent_type: "counter" }),
  counted(100, 60, 10),
  event("sub_agent_activity", { event_id: "c1", agent_thread_id: "child", kind: "started" }),
  answered("c1", '{"task_name":"/root/count"}'),
  said("assistant", "Seven."),
  counted(300, 200, 30, [200, 140, 20]),
  completed("t1", "Seven."),
];

const PARENT: readonly Rec[] = [meta("parent"), ...OWN];

const CHILD: readonly Rec[] = [
  meta("child", {
    parent_thread_id: "parent",
    forked_from_id: "parent",
    agent_role: "counter",
    agent_nickname: "Ada",
  }),
  ...PARENT.slice(0, 7),
  said("developer", "You are an agent in a team."),
  started("t2"),
  item("agent_message", {
    author: "/root",
    recipient: "/root/count",
    content: [{ type: "input_text", text: "Count shelf 1" }],
  }),
  called("c2", "exec_command", { cmd: "ls | wc -l" }),
  answered("c2", "Chunk ID: 1\nWall time: 0.5000 seconds\nProcess exited with code 0\nOutput:\n7\n"),
  counted(150, 90, 15, [50, 30, 5]),
  said("assistant", "Seven on shelf 1."),
  completed("t2", "Seven on shelf 1."),
];

const only = async (source: InspectorDataSource) => {
  const items = await source.listSessions();
  expect(items).toHaveLength(1);
  return items[0]!;
};

describe("a thread that asks its user", () => {
  it("waits for the answer, and says what it asks", async () => {
    const questions = [{ id: "region", header: "Region", question: "Which region?", options: [] }];
    const asking: readonly Rec[] = [
      meta("s1"),
      started("t1"),
      ...prompted("Count the books"),
      called("c1", "request_user_input", { questions }),
    ];
    const answeredBy = answered("c1", '{"answers":{"region":{"answers":["eu"]}}}');
    const itemOf = async (records: readonly Rec[]) =>
      only(openHome(await newHome({ [rolloutOf("s1")]: lines(records) })));
    expect(await itemOf(asking)).toMatchObject({ status: "waiting", waitingFor: "Which region?" });
    expect(await itemOf([...asking, answeredBy])).toMatchObject({ status: "idle" });
  });
});

describe("a thread that another one spawned", () => {
  it("lies under the call that spawned it, with role, state, result and a conversation of its own", async () => {
    const source = openHome(
      await newHome({ [rolloutOf("parent")]: lines(PARENT), [rolloutOf("child")]: lines(CHILD, 60) }),
    );
    expect(await only(source)).toMatchObject({
      tenantId: TENANT,
      sessionId: "parent",
      turns: 1,
      status: "idle",
    });
    const { snapshot } = (await source.loadOrchestrationState(TENANT, "parent"))!;
    const [agent] = Object.values(snapshot.agents as Record<string, object>);
    expect(agent).toMatchObject({
      id: "child",
      role: "counter",
      displayName: "Ada",
      status: "closed",
      lastJob: { jobId: "c1", outcome: "completed", outputText: "Seven on shelf 1." },
    });
    const opened = (await source.openSession!(TENANT, "parent"))!;
    expect((await opened.messages("child")).size).toBe(2 + 5);
    const trace = await source.loadTraceEnvelopes(TENANT, "parent");
    const own = trace.filter(({ traceId }) => traceId === "child");
    expect(own.every((one) => one.event.agentId === "child")).toBe(true);
    expect(own.find(({ event: { type } }) => type === "turn.start")!.event.input).toBe("Count shelf 1");
  });

  it("is counted once: what it copied of its parent is the parent's", async () => {
    const source = openHome(
      await newHome({ [rolloutOf("parent")]: lines(PARENT), [rolloutOf("child")]: lines(CHILD, 60) }),
    );
    expect((await only(source)).usage).toEqual({
      inputTokens: 120,
      outputTokens: 35,
      cacheReadTokens: 230,
      cacheWriteTokens: 0,
    });
    const trace = eventsOf(await source.loadTraceEnvelopes(TENANT, "parent"));
    const starts = trace.filter(({ type, agentId }) => type === "session.start" && agentId === "child");
    expect(starts).toMatchObject([{ replayed: 7 }]);
    expect(
      trace.filter(({ type, toolName }) => type === "tool.start" && toolName === "spawn_agent"),
    ).toHaveLength(1);
  });

  it("is a session where its parent is not there, and a sub-agent once it is", async () => {
    const home = await newHome({ [rolloutOf("child")]: lines(CHILD, 60) });
    const source = openHome(home);
    expect(await only(source)).toMatchObject({ sessionId: "child", tokens: 165 });
    await writeFiles(home, { [rolloutOf("parent")]: lines(PARENT) });
    expect(await only(source)).toMatchObject({ sessionId: "parent", tokens: 385 });
  });

  it("is a sub-agent of a sub-agent where that one spawned it", async () => {
    const grandchild = [
      meta("grandchild", { source: { subagent: { thread_spawn: { parent_thread_id: "child" } } } }),
      started("t3"),
    ];
    const source = openHome(
      await newHome({
        [rolloutOf("parent")]: lines(PARENT),
        [rolloutOf("child")]: lines(CHILD, 60),
        [rolloutOf("grandchild")]: lines(grandchild, 80),
      }),
    );
    await only(source);
    const events = await source.loadOrchestrationEvents(TENANT, "parent");
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "agent_spawned",
        parentAgentId: "child",
        agent: expect.objectContaining({ id: "grandchild" }),
      }),
    );
  });

  it("is at the top where threads name each other as parents", async () => {
    const source = openHome(
      await newHome({
        [rolloutOf("a")]: lines([meta("a", { parent_thread_id: "b" })]),
        [rolloutOf("b")]: lines([meta("b", { parent_thread_id: "a" })]),
      }),
    );
    const sessions = await source.listSessions();
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual(["a", "b"]);
  });
});

describe("a fork by the user", () => {
  it("is a session of its own, whose copies count where they were written first", async () => {
    const fork = [
      meta("fork", { forked_from_id: "parent" }),
      ...PARENT,
      ...prompted("Once more"),
      said("assistant", "Eight."),
      counted(400, 200, 50, [100, 0, 20]),
    ];
    const source = openHome(
      await newHome({ [rolloutOf("parent")]: lines(PARENT), [rolloutOf("fork")]: lines(fork, 600) }),
    );
    const items = await source.listSessions();
    expect(items.map(({ sessionId, tokens, turns, title }) => ({ sessionId, tokens, turns, title }))).toEqual(
      [
        { sessionId: "fork", tokens: 450 - 330, turns: 1, title: "Once more" },
        { sessionId: "parent", tokens: 330, turns: 1, title: "Count the books" },
      ],
    );
    expect(await source.loadMessages(TENANT, "fork")).toHaveLength(6);
  });
});

describe("a thread in several files", () => {
  const second: readonly Rec[] = [
    meta("parent"),
    // Totals are written again where a thread is resumed.
    counted(300, 200, 30, [200, 140, 20]),
    started("t9"),
    ...prompted("And now?"),
    said("assistant", "Still seven."),
    counted(500, 350, 40, [200, 150, 10]),
    completed("t9", "Still seven."),
  ];
  const files = {
    [rolloutOf("parent")]: lines(PARENT),
    [rolloutOf("parent_x1", "2026/07/02")]: lines(second, 90_000),
  };

  it("is one session with the messages and the turns of all, counted once", async () => {
    const source = openHome(await newHome(files));
    expect(await only(source)).toMatchObject({
      sessionId: "parent",
      turns: 2,
      tokens: 540,
      title: "Count the books",
    });
    const messages = await source.loadMessages(TENANT, "parent");
    expect(messages).toHaveLength(4 + 2);
    expect(messages.at(-1)).toMatchObject({ content: [{ text: "Still seven." }] });
    const opened = (await source.openSession!(TENANT, "parent"))!;
    const stream = await opened.messages();
    const read: unknown[] = [];
    const positions = Uint32Array.of(5, 0, 4, 1);
    for await (const batch of stream.read({ positions, from: 0, to: 4 }))
      read.push(...(JSON.parse(`[${new TextDecoder().decode(batch.text)}]`) as unknown[]));
    expect(read).toEqual([5, 0, 4, 1].map((at) => messages[at]));
  });

  it("says which message an envelope of either file shows", async () => {
    const source = openHome(await newHome(files));
    const trace = await (await source.openSession!(TENANT, "parent"))!.trace();
    const envelopes = await source.loadTraceEnvelopes(TENANT, "parent");
    const messages = await trace.messagesOf!(Uint32Array.from(envelopes.keys()));
    const shown = envelopes.findIndex(({ event: { text } }) => text === "Still seven.");
    expect(messages[shown]).toBe(5);
  });

  it("is one file where an archived copy or a packed one lies beside it", async () => {
    const home = await newHome({
      [rolloutOf("parent")]: lines(PARENT),
      [`archived_sessions/${path.basename(rolloutOf("parent"))}`]: lines(PARENT),
      [`${rolloutOf("parent")}.zst`]: "never read",
    });
    expect(await only(openHome(home))).toMatchObject({ turns: 1, tokens: 330 });
  });
});

describe("the home of Codex", () => {
  it("takes titles from its index: the last name of a thread", async () => {
    const home = await newHome({
      [rolloutOf("parent")]: lines(PARENT),
      "session_index.jsonl":
        '{"id":"parent","thread_name":"Books"}\n{"id":"other","thread_name":"No"}\n{"id":"parent","thread_name":"Bücher"}\n',
    });
    const source = openHome(home);
    expect((await only(source)).title).toBe("Bücher");
    await appendFile(path.join(home, "session_index.jsonl"), '{"id":"parent","thread_name":"Livres"}\n');
    expect((await only(source)).title).toBe("Livres");
  });

  it("finds sessions that are archived while it is open", async () => {
    const home = await newHome({ [rolloutOf("parent")]: lines(PARENT), "archived_sessions/.keep": "" });
    const source = openHome(home);
    await only(source);
    await rename(
      path.join(home, rolloutOf("parent")),
      path.join(home, "archived_sessions", path.basename(rolloutOf("parent"))),
    );
    expect(await only(source)).toMatchObject({ sessionId: "parent" });
    expect(await source.loadMessages(TENANT, "parent")).toHaveLength(4);
  });

  it("reads files of before the envelope: prompts, calls, the folder from what the model was told", async () => {
    const bare = [
      { id: "old", timestamp: at(0), instructions: null },
      { record_type: "state" },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: `<environment_context>\n  <cwd>${CWD}</cwd>\n</environment_context>` },
        ],
      },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Count the books" }] },
      { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" },
      {
        type: "function_call_output",
        call_id: "c1",
        output: '{"output":"a\\n","metadata":{"exit_code":2,"duration_seconds":0.5}}',
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "One." }] },
    ];
    const name = "sessions/rollout-2025-06-01-old.jsonl";
    const home = await newHome({ [name]: bare.map((one) => `${JSON.stringify(one)}\n`).join("") });
    await utimes(path.join(home, name), 1_750_000_000, 1_750_000_000);
    const source = openHome(home);
    expect(await only(source)).toMatchObject({
      tenantId: TENANT,
      sessionId: "old",
      turns: 1,
      title: "Count the books",
      tokens: 0,
    });
    const events = eventsOf(await source.loadTraceEnvelopes(TENANT, "old"));
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "tool.end",
        toolName: "shell",
        output: "a\n",
        exitCode: 2,
        durationMs: 500,
        isError: true,
      }),
    );
    expect((await source.loadMessages(TENANT, "old"))[4]).toEqual(bare[6]);
  });

  it("is empty without rollouts, and where they went", async () => {
    const home = await newHome({ "config.toml": "", [rolloutOf("parent")]: lines(PARENT) });
    const source = openHome(home);
    await only(source);
    await rm(path.join(home, "sessions"), { recursive: true });
    expect(await source.listSessions()).toEqual([]);
    expect(await source.openSession!(TENANT, "parent")).toBeUndefined();
  });

  it("names a session by its file where its records name none, or one that cannot be asked for", async () => {
    const home = await newHome({
      [rolloutOf("named")]: '{"type":"event_msg"',
      [rolloutOf("odd")]: lines([meta("../../etc")]),
    });
    const sessions = await openHome(home).listSessions();
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual(["named", "odd"]);
  });
});
