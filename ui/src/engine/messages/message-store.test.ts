import { beforeEach, describe, expect, it, vi } from "vitest";
import { sumSizes } from "../../../../src/domain/conversation/context-messages.js";
import { BASE, envelope, envelopes, FakeApi, SESSION } from "../../../test/support/fake-api.js";
import { type EngineMethods, engineMethods } from "../engine-methods.js";
import { type SessionState, traceQuery } from "../trace/trace-protocol.js";
import type { CallRow } from "./message-protocol.js";
import { MessageStore } from "./message-store.js";

const LONG = "y".repeat(7_000);

const HISTORY = [
  { role: "system", content: "be brief" },
  { role: "user", content: "list the files" },
  {
    role: "assistant",
    id: "m1",
    content: [
      { type: "text", text: "I list them." },
      { type: "tool_use", id: "t1", name: "Bash", input: { timeout: 5, command: "ls" } },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: LONG }] },
  { role: "assistant", id: "m2", content: [{ type: "text", text: "Two files." }] },
];

let api: FakeApi;
let engine: EngineMethods;
let states: SessionState[];

beforeEach(async () => {
  api = new FakeApi();
  states = [];
  engine = engineMethods(BASE, (update) => {
    if (update.topic === "session") states.push(update.state);
  });
  api.change(
    "trace",
    ...envelopes(
      ["turn.start", { turnIndex: 0 }],
      ["llm.start", { callId: "m1" }],
      ["llm.end", { callId: "m1", usage: { inputTokens: 40, cacheReadTokens: 2 } }],
      ["llm.start", { callId: "m2" }],
      ["llm.end", { callId: "m2", usage: { inputTokens: 1800 } }],
      ["turn.end", { turnIndex: 0 }],
    ),
  );
  api.change("messages", ...HISTORY);
  await engine.openSession(SESSION, traceQuery({}));
});

/** Asks for the conversation and waits until it was read. */
async function read(): Promise<void> {
  await engine.messagesView();
  await vi.waitFor(() => expect(states.at(-1)!.messagesVersion).toBeGreaterThan(0));
}

describe("a conversation", () => {
  it("is read when it is first asked for", async () => {
    expect(api.requestsOf("messages")).toEqual([]);
    expect(await engine.messagesView()).toMatchObject({ entries: 0, loading: true });
    await vi.waitFor(async () =>
      expect(await engine.messagesView()).toMatchObject({ entries: 5, messages: 5, loading: false }),
    );
    expect(api.requestsOf("messages")).toHaveLength(1);
  });

  it("has its entries in pages, calls joined with their results", async () => {
    await read();
    expect(await engine.messageEntries(2, 4)).toMatchObject([
      { type: "text", origin: "assistant", opensSpeaker: true, text: { text: "I list them." } },
      { type: "call", name: "Bash", preview: "ls", opensSpeaker: false, result: { isError: false } },
    ]);
  });

  it("has long texts cut, with their length, and whole when they are asked for", async () => {
    await read();
    const { result } = (await engine.messageEntries(3, 4))[0]!;
    expect(result!.text.length).toBe(7_000);
    expect(result!.text.text.length).toBeLessThan(7_000);
    expect(engine.messageFullText(3, "result")).toBe(LONG);
    expect(engine.messageFullText(2, "part")).toBe("I list them.");
    expect(engine.messageFullText(99, "part")).toBe("");
  });

  it("has the paths of calls as they read from the folder of the session, also in contexts", async () => {
    await read();
    const before = (await engine.messageEntries(0, 9)).length;
    const requested = { type: "tool_use", id: "t2", name: "Read", input: { file_path: "/shop/src/a.ts" } };
    const result = { type: "tool_result", tool_use_id: "t2", content: "a" };
    api.change(
      "messages",
      { role: "assistant", id: "m3", content: [requested] },
      { role: "user", content: [result] },
      { role: "assistant", id: "m4", content: "Done." },
    );
    api.change("trace", ...envelopes(["session.start", { cwd: "/shop" }]));
    await engine.pollSession();
    expect(await engine.messageEntries(before, before + 1)).toMatchObject([
      { name: "Read", preview: "src/a.ts" },
    ]);
    const { lines } = (await engine.contextCompare(1, 3))!;
    expect(JSON.stringify(lines)).toContain("Read src/a.ts");
  });

  it("locates messages and tool calls", async () => {
    await read();
    expect(engine.messageLocate({ callId: "t1" })).toBe(3);
    expect(engine.messageLocate({ messageIndex: 4 })).toBe(4);
    expect(engine.messageLocate({ callId: "gone" })).toBe(-1);
  });

  it("locates a kind of content in a message, and the result of a tool with its call", async () => {
    await read();
    expect(engine.messageLocate({ messageIndex: 2 })).toBe(2);
    expect(engine.messageLocate({ messageIndex: 2, kind: "input" })).toBe(3);
    expect(engine.messageLocate({ messageIndex: 2, kind: "text" })).toBe(2);
    expect(engine.messageLocate({ messageIndex: 3, kind: "output" })).toBe(3);
  });

  it("gives a message as text and as JSON", async () => {
    await read();
    expect(await engine.contextText(2)).toBe('I list them.\n\nBash {\n  "timeout": 5,\n  "command": "ls"\n}');
    expect(JSON.parse(engine.messageJson(2))).toEqual(HISTORY[2]);
    expect(engine.messageJson(99)).toBe("");
  });

  it("of a sub-agent takes the place of another one, with the contexts of its own calls", async () => {
    await read();
    const requested = { role: "user", content: "Look into the tests." };
    api.agentMessages.set("a1", [requested, { role: "assistant", id: "s1", content: "They are fine." }]);
    api.change("orchestration", { agentId: "a1" });
    const from = api.records.trace.length;
    const call = [
      ["llm.start", { callId: "s1", agentId: "a1" }],
      ["llm.end", { callId: "s1", agentId: "a1", usage: { inputTokens: 7 } }],
    ] as const;
    api.change("trace", ...call.map(([type, fields], i) => envelope(from + i, type, fields)));
    await engine.pollSession();
    await engine.messagesView("a1");
    await vi.waitFor(async () => expect(await engine.messagesView("a1")).toMatchObject({ messages: 2 }));
    expect(api.requestsOf("messages").at(-1)).toContain("agentId=a1");
    expect(await engine.messageEntries(0, 9)).toMatchObject([{ origin: "user" }, { origin: "assistant" }]);
    expect((await engine.contextCalls()).calls).toMatchObject([
      { messages: 1, countedTokens: 7, answer: "They are fine." },
    ]);
    await engine.messagesView();
    await vi.waitFor(async () => expect(await engine.messagesView()).toMatchObject({ messages: 5 }));
    expect((await engine.contextCalls()).calls).toHaveLength(2);
  });

  it("has for each message of a context where it came from, with the step of the tool call", async () => {
    api.change(
      "trace",
      envelope(6, "tool.start", { toolCallId: "t1", toolName: "Bash", input: { command: "ls" } }),
    );
    await engine.pollSession();
    await read();
    expect(await engine.contextProvenance(1, 3)).toMatchObject({
      source: { by: "tool" },
      uses: [{ toolCallId: "t1", name: "Bash", stepId: "e6" }],
      firstContext: 1,
    });
    expect(await engine.contextProvenance(0, 3)).toBeUndefined();
    expect(await engine.contextProvenance(9, 3)).toBeUndefined();
  });

  it("has the messages of a context that hold a text, in any case unless it has a capital", async () => {
    await read();
    const positionOf = async (text: string) =>
      (await engine.contextCompare(0, 1, text))!.lines.map((line) => "after" in line && line.after!.index);
    expect(await positionOf("list")).toEqual([1, 2]);
    expect(await positionOf("List")).toEqual([]);
    expect(await positionOf("I list")).toEqual([2]);
    expect((await engine.contextCompare(0, 1, "list"))!.counts.added.messages).toBe(2);
  });

  it("of a sub-agent of which none is kept is empty", async () => {
    await engine.messagesView("nobody");
    await vi.waitFor(async () =>
      expect(await engine.messagesView("nobody")).toMatchObject({ entries: 0, loading: false }),
    );
    expect((await engine.contextCalls()).calls).toEqual([]);
  });

  it("has turns, with their prompts and what the trace knows of them", async () => {
    await read();
    expect(await engine.messageTurns()).toMatchObject([
      { entry: 1, messageIndex: 1, prompt: "list the files", step: { id: "e0", state: "done" }, errors: 0 },
    ]);
  });

  it("has with each answer and tool call what the trace knows of it", async () => {
    api.change(
      "trace",
      envelope(6, "tool.start", { toolCallId: "t1", toolName: "Bash", input: { command: "ls" } }),
      envelope(7, "tool.end", { toolCallId: "t1", output: "a" }),
    );
    await engine.pollSession();
    await read();
    expect(await engine.messageEntries(1, 5)).toMatchObject([
      { opensAnswer: false, answer: undefined, tool: undefined },
      { opensAnswer: true, answer: { id: "e1", state: "done" }, tool: undefined },
      { opensAnswer: false, answer: undefined, tool: { id: "e6", state: "done" } },
      { opensAnswer: true, answer: { id: "e3" } },
    ]);
  });

  it("says how many lines its edits changed, alone and by turn", async () => {
    const edit = (id: string, failed: boolean) => [
      {
        role: "assistant",
        content: [
          {
            type: "tool_use",
            id,
            name: "Edit",
            input: { file_path: "a.ts", old_string: "one", new_string: "1\n2\n3" },
          },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok", is_error: failed }] },
    ];
    api.change("messages", ...edit("t2", false), ...edit("t3", true), ...edit("t4", false));
    await read();
    const lines = { added: 3, removed: 1 };
    const rows = await engine.messageEntries(5, 8);
    expect(rows.map((row) => row.lines)).toEqual([lines, undefined, lines]);
    expect(await engine.messageEdits()).toEqual([{ added: 6, removed: 2 }]);
  });

  it("says of an edit what was recorded of it, also where the trace comes later", async () => {
    const input = { file_path: "a.ts", content: "1\n2\n3" };
    const use = { type: "tool_use", id: "t2", name: "Write", input };
    const result = { type: "tool_result", tool_use_id: "t2", content: "ok" };
    api.change("messages", { role: "assistant", content: [use] }, { role: "user", content: [result] });
    await read();
    expect((await engine.messageEntries(5, 6))[0]!.lines).toEqual({ added: 3, removed: 0 });
    const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-one", "+1"] }];
    const record = { toolUseResult: { filePath: "a.ts", structuredPatch } };
    api.change(
      "trace",
      envelope(6, "tool.start", { toolCallId: "t2", toolName: "Write", input }),
      envelope(7, "tool.end", { toolCallId: "t2", output: "ok", record }),
    );
    await engine.pollSession();
    expect((await engine.messageEntries(5, 6))[0]!.lines).toEqual({ added: 1, removed: 1 });
    expect(await engine.messageEdits()).toEqual([{ added: 1, removed: 1 }]);
  });

  it("knows where answers begin that are told by items", async () => {
    const store = new MessageStore();
    const item = (type: string, fields: object) => JSON.stringify({ type, ...fields });
    const call = (id: string) => item("function_call", { call_id: id, name: "shell", arguments: "{}" });
    const output = (id: string) => item("function_call_output", { call_id: id, output: "ok" });
    const records = [call("a"), call("b"), output("a"), output("b"), call("c"), call("d")];
    await store.update(records);
    const begun = () => store.entries(0, 9).map(({ opensAnswer }) => opensAnswer);
    expect(begun()).toEqual([true, false, true, false]);
    await store.update(records, { calls: [{ callId: "m", at: 5 }], removals: [] });
    expect(begun()).toEqual([true, false, true, true]);
    // A thought without words is not an entry.
    await store.update([item("reasoning", { summary: [] }), ...records], {
      calls: [{ callId: "m", at: 0 }],
      removals: [],
    });
    expect(store.answeredBy.slice(0, 4)).toEqual(["m", "m", "m", undefined]);
    expect(begun()).toEqual([true, false, true, false]);
  });

  it("that is long is parsed in slices, and given up for another", async () => {
    const store = new MessageStore();
    const record = JSON.stringify({ role: "user", content: "word ".repeat(400) });
    const parsed = store.update(Array.from({ length: 20_000 }, () => record));
    expect(store).toMatchObject({ isBehind: true, entryCount: 0 });
    store.clear();
    expect(await parsed).toBe(false);
    expect(store).toMatchObject({ isBehind: false, entryCount: 0 });
  });

  it("that grows has its new entries after a poll", async () => {
    await read();
    const version = states.at(-1)!.messagesVersion;
    api.change("messages", { role: "user", content: "thanks" });
    await engine.pollSession();
    expect(states.at(-1)!.messagesVersion).toBeGreaterThan(version);
    expect(await engine.messageEntries(5, 6)).toMatchObject([{ origin: "user", text: { text: "thanks" } }]);
  });

  it("that cannot be read has a problem, which goes when it can", async () => {
    api.failures.set("messages", 500);
    await engine.messagesView();
    await vi.waitFor(async () =>
      expect((await engine.messagesView()).problem).toMatchObject({ kind: "failed", status: 500 }),
    );
    expect(states.at(-1)!.problem).toBeUndefined();
    api.failures.clear();
    await engine.pollSession();
    expect(await engine.messagesView()).toMatchObject({ entries: 5, problem: undefined });
  });
});

describe("the contexts of the model calls", () => {
  it("are matched with the calls of the trace by the ids of their answers", async () => {
    await read();
    const { calls, unseenCalls } = await engine.contextCalls();
    expect(unseenCalls).toBe(0);
    expect(calls).toMatchObject([
      { messages: 2, countedTokens: 42, spanId: "e1", answer: "I list them. → Bash", isRecorded: false },
      { messages: 4, countedTokens: 1800, spanId: "e3", answer: "Two files." },
    ]);
    const [, { sizes, prompt, unaccounted, countedTokens }] = calls as [CallRow, CallRow];
    expect(sumSizes(sizes) + prompt + unaccounted).toBeCloseTo(countedTokens!, 6);
    // Both are scaled by the same factor from the estimates by their length.
    expect(sizes.tool / sizes.system).toBeCloseTo(1750 / 2, 6);
  });

  it("are compared call by call", async () => {
    await read();
    const comparison = (await engine.contextCompare(0, 1))!;
    expect(comparison.counts).toMatchObject({
      kept: { messages: 2 },
      added: { messages: 2 },
      dropped: { messages: 0 },
    });
    expect(comparison.lines).toMatchObject([
      { change: "kept" },
      { change: "kept" },
      { change: "added", after: { preview: "I list them. · Bash ls", index: 2 } },
      { change: "added", after: { origin: "tool" } },
    ]);
    expect(await engine.contextCompare(0, 9)).toBeUndefined();
  });

  it("are as large as their lines together", async () => {
    await read();
    const { calls } = await engine.contextCalls();
    const { lines } = (await engine.contextCompare(0, 1))!;
    const sum = lines.reduce(
      (tokens, line) => tokens + (line.change === "run" ? line.tokens : line.after!.tokens),
      0,
    );
    expect(sum).toBeGreaterThan(1_000);
    expect(sum).toBeCloseTo(sumSizes(calls[1]!.sizes), 6);
  });

  it("fold long runs of messages, and unfold them", async () => {
    const more = Array.from({ length: 8 }, (_, i) => ({ role: "user", content: `more ${i}` }));
    api.change("messages", ...more, { role: "assistant", id: "m3", content: "ok" });
    api.change("messages", { role: "user", content: "and?" }, { role: "assistant", id: "m4", content: "so" });
    await read();
    const { lines } = (await engine.contextCompare(2, 3))!;
    const run = lines.find((line) => line.change === "run")!;
    expect(run).toMatchObject({ change: "run", of: "kept", count: 12, from: 0, to: 11 });
    const unfolded = await engine.contextRun(3, 0, 11, "kept");
    expect(unfolded).toHaveLength(12);
    expect(unfolded[1]).toMatchObject({ change: "kept", after: { index: 1, origin: "user" } });
  });
});

describe("contexts that are recorded on the calls", () => {
  const recordsOf = (...texts: readonly string[]) =>
    texts.map((content, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content }));
  const record = (...calls: readonly object[]) => {
    api.records.trace.length = 0;
    api.change(
      "trace",
      ...envelopes(
        ...calls.flatMap((call, i): [string, object][] => [
          ["llm.start", { callId: `c${i}`, ...call }],
          ["llm.end", { callId: `c${i}`, output: `Answer ${i}.` }],
        ]),
      ),
    );
  };

  it("are what the calls saw, without any history", async () => {
    api.records.messages.length = 0;
    record(
      { messages: recordsOf("One?") },
      { system: "be brief", messages: recordsOf("One?", "Answer 0.", "Two?") },
      {},
    );
    await engine.pollSession();
    await engine.messagesView();
    const { calls, unseenCalls } = await engine.contextCalls();
    expect(calls).toMatchObject([
      { messages: 1, spanId: "e0", answer: "Answer 0.", isRecorded: true },
      { messages: 4, spanId: "e2", answer: "Answer 1." },
    ]);
    expect(calls[1]!.sizes).toMatchObject({ system: 2, user: 2 });
    expect(unseenCalls).toBe(1);
    const { lines, counts } = (await engine.contextCompare(0, 1))!;
    expect(counts).toMatchObject({ added: { messages: 3 }, kept: { messages: 1 } });
    const texts = lines.map((line) => line.change !== "run" && engine.contextText(line.after!.index));
    expect(await Promise.all(texts)).toEqual(["be brief", "One?", "Answer 0.", "Two?"]);
    expect(lines.every((line) => line.change !== "run" && line.after!.index < 0)).toBe(true);
  });

  it("take the place of what the history shows, and stand beside it", async () => {
    record({ messages: recordsOf("Dropped since.") }, { context: recordsOf("What it saw.") }, {});
    await engine.pollSession();
    await read();
    const { calls, unseenCalls } = await engine.contextCalls();
    expect(calls).toMatchObject([
      { messages: 1, answer: "Answer 0." },
      { messages: 1, answer: "I list them. → Bash" },
      { messages: 4, answer: "Two files." },
    ]);
    expect(unseenCalls).toBe(0);
    const { lines } = (await engine.contextCompare(1, 2))!;
    expect(lines).toMatchObject([
      { change: "dropped", before: { preview: "What it saw." } },
      { change: "added", after: { preview: "be brief" } },
      { change: "added" },
      { change: "added" },
      { change: "added" },
    ]);
  });

  it("are in the details of the call, its newest messages with their texts", async () => {
    const many = Array.from({ length: 103 }, (_, i) => ({
      role: "user",
      parts: [{ type: "text", content: `m${i}` }],
    }));
    record({ "gen_ai.input.messages": JSON.stringify(many) }, { model: "m" });
    await engine.pollSession();
    expect(engine.traceDetail("e0")).toMatchObject({ inputs: ["gen_ai.input.messages"], modelCall: "e0" });
    const input = (await engine.traceInput("e0"))!;
    expect(input.earlier).toBe(3);
    expect(input.messages).toHaveLength(100);
    expect(input.messages[0]).toMatchObject({ index: 3, origin: "user", text: { text: "m3" } });
    expect(await engine.traceInputText("e0", 102)).toBe("m102");
    expect(engine.traceDetail("e2")).toMatchObject({ inputs: [], modelCall: undefined });
    expect(await engine.traceInput("e2")).toBeUndefined();
  });
});
