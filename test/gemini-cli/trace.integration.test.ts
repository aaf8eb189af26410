import { describe, expect, it } from "vitest";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { listAgents } from "../../src/domain/trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import {
  at,
  document,
  gemini,
  header,
  lines,
  newHome,
  note,
  openHistories,
  toolCall,
  user,
} from "./support/homes.js";

const CHATS = "tmp/p/chats";
const FILE = `${CHATS}/session-2026-05-01T09-00-s1.jsonl`;

async function open(files: Readonly<Record<string, string>>, sessionId = "s1") {
  const source = openHistories(await newHome(files));
  const [item] = (await source.listSessions()).filter((session) => session.sessionId === sessionId);
  const trace = await source.loadTraceEnvelopes("p", sessionId);
  return { source, item: item!, trace, messages: await source.loadMessages("p", sessionId) };
}

const typesOf = (trace: readonly WorkflowTraceEventEnvelope[]) => trace.map(({ event }) => event.type);
const bySequence = (trace: readonly WorkflowTraceEventEnvelope[]) =>
  trace.toSorted((a, b) => a.sequence - b.sequence);
const eventsOf = (trace: readonly WorkflowTraceEventEnvelope[], type: string) =>
  trace.filter(({ event }) => event.type === type).map(({ event }) => event);

const TOKENS = { input: 9_000, output: 30, cached: 0, thoughts: 12, tool: 0, total: 9_042 };
const GLOB = toolCall("glob_1777626008010_0", 8.3, "41 files");

/** The second turn is cancelled and rewound. */
const WRITTEN = [
  header("s1"),
  user("m1", 5, "how many tests?"),
  { $set: { lastUpdated: at(5) } },
  gemini("m2", 8, "", { tokens: TOKENS }),
  gemini("m2", 8, "", { tokens: TOKENS, toolCalls: [GLOB] }),
  gemini("m3", 11, "41.", { tokens: { input: 9_100, output: 4, cached: 8_900, thoughts: 0, total: 9_104 } }),
  user("m4", 60, "delete them"),
  note("m5", 62, "info", "Request cancelled."),
  { $rewindTo: "m4" },
  { $set: { summary: "Counting the tests" } },
];

describe("A session of lines", () => {
  it("counts each message once, however often it is written", async () => {
    const { item, trace, messages } = await open({ [FILE]: lines(...WRITTEN) });
    expect(item).toMatchObject({ title: "Counting the tests", turns: 2, tokens: 18_146, createdAt: at(0) });
    expect(item.usage).toEqual({
      inputTokens: 9_200,
      outputTokens: 46,
      cacheReadTokens: 8_900,
      cacheWriteTokens: 0,
    });
    expect(typesOf(bySequence(trace))).toEqual([
      "session.start",
      "gemini-cli.session",
      "turn.start",
      "gemini-cli.set",
      "llm.start",
      "llm.end",
      "gemini-cli.gemini",
      "tool.start",
      "tool.end",
      "llm.start",
      "text",
      "llm.end",
      "turn.end",
      "turn.start",
      "turn.end",
      "gemini-cli.rewind",
      "gemini-cli.set",
    ]);
    expect(new Set(trace.map(({ event }) => (event.stored as { line: number }).line)).size).toBe(10);
    const [first, second] = eventsOf(trace, "turn.end");
    expect([first!.outcome, second!.outcome]).toEqual(["completed", "cancelled"]);
    expect(messages.map((message) => (message as { id?: string }).id)).toEqual(["m1", "m2", "m3", "m4"]);
    expect(messages[1]).toEqual(WRITTEN[4]);
  });

  it("says how many messages a rewind takes back, and from where", async () => {
    const { trace } = await open({ [FILE]: lines(...WRITTEN) });
    expect(eventsOf(trace, "gemini-cli.rewind")).toMatchObject([{ rewindTo: "m4", droppedMessages: 2 }]);
    const unknown = await open({ [FILE]: lines(...WRITTEN.slice(0, 6), { $rewindTo: "nothing" }) });
    expect(eventsOf(unknown.trace, "gemini-cli.rewind")).toMatchObject([{ droppedMessages: 3 }]);
  });

  it("gives a tool the time in its id, and the end that was recorded", async () => {
    const { trace } = await open({ [FILE]: lines(...WRITTEN) });
    const [start, end] = ["tool.start", "tool.end"].map(
      (type) => trace.find(({ event }) => event.type === type)!,
    );
    expect([start!.timestamp, end!.timestamp]).toEqual(["2026-05-01T09:00:08.010Z", at(8.3)]);
    expect(start!.event).toMatchObject({ toolCallId: "glob_1777626008010_0", input: { pattern: "*" } });
    expect(end!.event).toMatchObject({ output: "41 files", isError: false, status: "success" });
  });

  it("tells a tool that runs from one that has ended", async () => {
    const running = { ...GLOB, status: "executing", result: null };
    const begun = await open({
      [FILE]: lines(header("s1"), user("m1", 1, "Go."), gemini("m2", 8, "", { toolCalls: [running] })),
    });
    expect(typesOf(begun.trace)).toContain("tool.start");
    expect(typesOf(begun.trace)).not.toContain("tool.end");
    const records = [
      gemini("m2", 8, "", { toolCalls: [running] }),
      gemini("m2", 8, "", { toolCalls: [GLOB] }),
    ];
    const { trace } = await open({ [FILE]: lines(header("s1"), user("m1", 1, "Go."), ...records) });
    expect(eventsOf(trace, "tool.start")).toHaveLength(1);
    expect(eventsOf(trace, "tool.end")).toMatchObject([{ stored: { line: 4 } }]);
  });

  it("shows what replaced the messages: a summary, and what was not there before", async () => {
    const summary = user("c1", 0, "<state_snapshot>All is well.</state_snapshot>");
    const answer = { id: "c2", timestamp: at(0), type: "gemini", content: "Got it." };
    const masked = gemini("m3", 11, "4…");
    const { item, trace, messages } = await open({
      [FILE]: lines(
        ...WRITTEN.slice(0, 6),
        { $set: { messages: [summary, answer, masked], lastUpdated: at(20) } },
        user("m6", 30, "And now?"),
        { $rewindTo: "m3" },
      ),
    });
    expect(eventsOf(trace, "compaction.end")).toMatchObject([
      { stored: { line: 7 }, summary: "<state_snapshot>All is well.</state_snapshot>", record: { id: "c1" } },
    ]);
    expect(eventsOf(trace, "text").map(({ text }) => text)).toEqual(["41.", "Got it."]);
    expect(eventsOf(trace, "gemini-cli.set").at(-1)).toMatchObject({
      subtype: "messages, lastUpdated",
      bookkeeping: "record",
      record: { $set: { messages: [summary, answer, masked] } },
    });
    expect(eventsOf(trace, "gemini-cli.rewind")).toMatchObject([{ droppedMessages: 2 }]);
    expect(item).toMatchObject({ turns: 2, tokens: 18_146 });
    const [first, second] = messages.slice(3);
    expect([first, second]).toEqual([summary, answer]);
    expect(messages.map((message) => (message as { id?: string }).id)).toEqual([
      "m1",
      "m2",
      "m3",
      "c1",
      "c2",
      "m6",
    ]);
  });

  it("shows the messages of an older version, which one line holds", async () => {
    const messages = [user("m1", 5, "how many tests?"), gemini("m3", 11, "41.", { toolCalls: [GLOB] })];
    const inOne = { ...header("s1"), messages };
    const long = { ...header("s1"), messages: [...messages, note("m9", 12, "info", "x".repeat(3 << 20))] };
    for (const first of [inOne, long]) {
      const { item, trace, messages: raw } = await open({ [FILE]: lines(first, user("m4", 60, "Thanks.")) });
      expect(item).toMatchObject({ turns: 2, tokens: 115, title: "how many tests?" });
      expect(eventsOf(trace, "turn.start").map(({ input }) => input)).toEqual([
        [{ type: "text", text: "how many tests?" }],
        [{ type: "text", text: "Thanks." }],
      ]);
      expect(eventsOf(trace, "tool.end")).toMatchObject([{ output: "41 files", stored: { line: 1 } }]);
      expect(raw.slice(0, 2)).toEqual(messages);
      expect(raw).toHaveLength(3);
    }
  });
});

const MESSAGES = [
  note("i1", 1, "info", "An update is there."),
  user("u1", 5, "Look at @a.txt: expanded", { displayContent: [{ text: "Look at @a.txt" }] }),
  gemini("g1", 8, "Reading.", {
    thoughts: [{ subject: "Plan", description: "Read it.", timestamp: at(7) }],
    toolCalls: [GLOB, toolCall("failed", 9, "", { status: "error", resultDisplay: "No such file" })],
  }),
  user("r1", 10, "", { content: [{ functionResponse: { id: "x", name: "glob", response: {} } }] }),
  note("e1", 12, "error", "[API Error: quota]"),
  gemini("g2", 20, "There is nothing."),
  user("u2", 30, "Go on."),
  user("u3", 31, "Please continue."),
  note("e2", 32, "error", "[API Error: gone]"),
  { id: "w1", timestamp: at(33), type: "warning", content: "Careful." },
  { id: "n1", timestamp: at(34), type: "novel", content: { of: "a later version" } },
];

describe.each([
  ["lines", FILE, "s1", lines(header("s1"), ...MESSAGES)],
  ["one object", FILE.slice(0, -1), "s1", document(header("s1"), MESSAGES, { summary: "Nothing there" })],
  // The id follows the messages, so the file's name replaces it.
  [
    "one object in one line, messages first",
    FILE.slice(0, -1),
    "session-2026-05-01T09-00-s1",
    JSON.stringify({ messages: MESSAGES, ...header("s1") }),
  ],
])("A session as %s", (_name, file, sessionId, text) => {
  it("becomes turns, calls, tools, errors and notes", async () => {
    const { item, trace, messages } = await open({ [file]: text }, sessionId);
    expect(item).toMatchObject({ turns: 2, tokens: 230, status: "error", lastActive: at(34) });
    expect(eventsOf(trace, "turn.start").map(({ input }) => input)).toEqual([
      [{ type: "text", text: "Look at @a.txt" }],
      [{ type: "text", text: "Go on." }],
    ]);
    const [prompt] = eventsOf(trace, "turn.start");
    expect(prompt!.record).toMatchObject({ content: [{ text: "Look at @a.txt: expanded" }] });
    expect(eventsOf(trace, "thinking")).toMatchObject([{ thinking: "Plan\n\nRead it.", subject: "Plan" }]);
    expect(eventsOf(trace, "tool.end")).toMatchObject([
      { isError: false },
      { isError: true, status: "error", resultDisplay: "No such file" },
    ]);
    expect(eventsOf(trace, "error").map(({ error }) => error)).toEqual([
      { message: "[API Error: quota]" },
      { message: "[API Error: gone]" },
    ]);
    expect(eventsOf(trace, "turn.end").map(({ outcome }) => outcome)).toEqual(["completed", "failed"]);
    expect(eventsOf(trace, "gemini-cli.novel")).toMatchObject([{ record: MESSAGES[10] }]);
    expect(eventsOf(trace, "gemini-cli.info")).toMatchObject([{ record: MESSAGES[0] }]);
    expect(eventsOf(trace, "gemini-cli.warning")).toHaveLength(1);
    expect(eventsOf(trace, "text").map(({ role, text }) => role ?? text)).toEqual([
      "Reading.",
      "user",
      "There is nothing.",
      "user",
    ]);
    const [call] = eventsOf(trace, "llm.end");
    expect(call).toMatchObject({ model: "gemini-x", usage: { inputTokens: 60, cacheReadTokens: 40 } });
    expect(messages).toEqual(
      MESSAGES.filter((message) => /user|gemini/.test((message as { type: string }).type)),
    );
  });

  it("leaves no member of a record out", async () => {
    const { trace } = await open({ [file]: text }, sessionId);
    const shown = JSON.stringify(trace);
    for (const word of [
      "ab12",
      "displayName",
      "expanded",
      "quota",
      "Read it.",
      "a later version",
      "functionResponse",
    ])
      expect([word, shown.includes(word) || !text.includes(word)]).toEqual([word, true]);
  });
});

describe("A session as one object", () => {
  it("is titled by the members behind the messages, too", async () => {
    const { item } = await open({
      [FILE.slice(0, -1)]: document(header("s1"), MESSAGES, { summary: "Nothing" }),
    });
    expect(item.title).toBe("Nothing");
  });

  it("shows of a file that is cut what is whole, with a warning", async () => {
    const text = document(header("s1"), MESSAGES);
    const cut = text.slice(0, text.indexOf('"g2"'));
    const { item, source, trace } = await open({ [FILE.slice(0, -1)]: cut });
    expect(item).toMatchObject({ turns: 1, tokens: 115, warnings: 1 });
    expect(eventsOf(trace, "error")).toHaveLength(1);
    const { warnings } = await (await source.openSession!("p", "s1"))!.trace();
    expect(warnings).toEqual([
      { file: expect.stringContaining("session-"), line: 7, reason: expect.stringContaining("cut off") },
    ]);
  });

  it("counts calls that were cancelled while they waited as no model call", async () => {
    const cancelled = toolCall("run_1777626010000_0", 12, "", { status: "cancelled" });
    const { item, trace } = await open({
      [FILE.slice(0, -1)]: document(header("s1"), [
        user("u1", 5, "Go."),
        gemini("g1", 8, "Running it."),
        note("i1", 12, "info", "Request cancelled."),
        gemini("g2", 12, "", { tokens: undefined, toolCalls: [cancelled] }),
      ]),
    });
    expect(item.tokens).toBe(115);
    expect(eventsOf(trace, "llm.end")).toHaveLength(1);
    expect(eventsOf(trace, "tool.end")).toMatchObject([
      { status: "cancelled", isError: true, refused: true },
    ]);
    expect(item.errors).toBe(0);
    expect(eventsOf(trace, "turn.end")).toMatchObject([{ outcome: "cancelled" }]);
  });
});

describe("Sub-agents", () => {
  const spawn = toolCall("codebase_investigator_1777626008010_0", 40, "It is a shop.", {
    name: "codebase_investigator",
    description: "What is it?",
    agentId: "a1",
  });
  const nested = toolCall("generalist_1777626010000_0", 20, "Yes.", { name: "generalist", agentId: "a2" });
  const files = {
    [FILE]: lines(header("s1"), user("m1", 5, "What is it?"), gemini("m2", 8, "", { toolCalls: [spawn] })),
    [`${CHATS}/s1/a1.jsonl`]: lines(
      header("a1", { kind: "subagent" }),
      user("x1", 9, "Investigate."),
      gemini("x2", 19, "", { toolCalls: [nested] }),
      gemini("x3", 30, "It is a shop."),
    ),
    [`${CHATS}/s1/a2.jsonl`]: lines(header("a2"), user("y1", 12, "Is it?"), gemini("y2", 18, "Yes.")),
  };

  it("are joined with the calls that ran them", async () => {
    const { source, item, trace } = await open(files);
    expect(item).toMatchObject({ turns: 1, tokens: 4 * 115 });
    expect(new Set(trace.map(({ traceId }) => traceId))).toEqual(new Set(["s1", "a1", "a2"]));
    const events = await source.loadOrchestrationEvents("p", "s1");
    const state = (await source.loadOrchestrationState("p", "s1"))!;
    const agents = runToEnd(listAgents(state.snapshot, events));
    expect(agents).toMatchObject([
      { agentId: "a1", role: "codebase_investigator", displayName: "What is it?" },
      { agentId: "a2", role: "generalist", parentAgentId: "a1" },
    ]);
    expect(agents[0]!.lastJob).toMatchObject({ outcome: "completed", outputText: "It is a shop." });
  });

  it("own none of the calls that ran them: each is one call, of who asked for it", async () => {
    const { source, trace } = await open(files);
    const calls = trace.filter(({ event: { type } }) => type === "tool.start" || type === "tool.end");
    for (const { traceId, event } of calls) expect(event.agentId ?? "s1").toBe(traceId);
    const summary = await new SummarizeSession(source).execute({ tenantId: "p", sessionId: "s1" });
    expect(summary).toMatchObject({ value: { counts: { toolCalls: calls.length / 2 } } });
  });

  it("are sessions of their own where theirs is gone", async () => {
    const { [FILE]: _, ...orphans } = files;
    const source = openHistories(await newHome(orphans));
    const listed = (await source.listSessions()).map(({ sessionId, title }) => [sessionId, title]).sort();
    expect(listed).toEqual([
      ["s1.a1", "a1, a sub-agent of s1 (not here)"],
      ["s1.a2", "a2, a sub-agent of s1 (not here)"],
    ]);
    expect(await source.loadMessages("p", "s1.a1")).toHaveLength(3);
  });
});
