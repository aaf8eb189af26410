import { describe, expect, it } from "vitest";
import { piFormat } from "../../src/adapters/formats/pi/pi-format.js";
import { VisibleMessages } from "../../src/domain/conversation/conversation-outline.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import {
  at,
  called,
  entry,
  fileOf,
  header,
  lines,
  message,
  newSessions,
  openOne,
  openSessions,
  result,
  said,
  TENANT,
  usage,
  user,
} from "./support/sessions.js";

type Opened = Awaited<ReturnType<typeof openOne>>;

function seenIn({ outline, size }: Pick<Opened, "outline" | "size">): number[] {
  const visible = new VisibleMessages();
  for (const removal of outline.removals) visible.apply(removal);
  return visible.runs.flatMap(([from, to]) =>
    Array.from({ length: Math.max(0, Math.min(to, size) - from) }, (_, i) => from + i),
  );
}

describe("A session of Pi", () => {
  it("says what was worked on, how it is called, and what it cost as it was recorded", async () => {
    const { item, of } = await openOne(
      entry("model_change", "e1", null, 1, { provider: "acme", modelId: "m-1" }),
      user("e2", "e1", 2, "Count the books."),
      said("e3", "e2", 5, "Seven."),
      entry("session_info", "e4", "e3", 6, { name: "Books" }),
      said("e5", "e4", 7, "Eight.", { usage: usage(20, 4, 0) }),
      entry("session_info", "e6", "e5", 8, { name: "Old books" }),
    );
    expect(item).toMatchObject({
      tenantId: TENANT,
      sessionId: "s1",
      title: "Old books",
      prompt: "Count the books.",
      directory: "/srv/shop",
      model: "m-1",
      createdAt: at(0),
      lastActive: at(8),
      turns: 1,
      usage: { inputTokens: 30, outputTokens: 7, cacheReadTokens: 10, cacheWriteTokens: 4 },
      lastAnswer: "Eight.",
    });
    // A cost of 0 is that of a model whose prices Pi does not know.
    expect(of("llm.end")).toMatchObject([
      { callId: "e3", model: "m-1", provider: "acme", stopReason: "stop", costUSD: 0.01 },
      { callId: "e5" },
    ]);
    expect(of("llm.end")[1]).not.toHaveProperty("costUSD");
  });

  it("times a call from when the model was asked to when its answer was written", async () => {
    const { trace } = await openOne(
      user("e1", null, 1, "Count."),
      said("e2", "e1", 9, "7", { timestamp: Date.parse(at(4)) }),
    );
    const times = trace.filter(({ event }) => /^llm/.test(`${event.type}`)).map(({ timestamp }) => timestamp);
    expect(times).toEqual([at(4), at(9)]);
  });

  it("joins results with their calls, says how they ended, and shows images where they are", async () => {
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
    const { of, item, source } = await openOne(
      user("e1", null, 1, "Look."),
      said("e2", "e1", 2, "", {
        content: [
          { type: "thinking", thinking: "", thinkingSignature: "x" },
          { type: "toolCall", id: "a", name: "read", arguments: { path: "a.png" } },
          { type: "toolCall", id: "b", name: "bash", arguments: { command: "exit 3" } },
          { type: "toolCall", id: "c", name: "bash", arguments: { command: "sleep 9" } },
        ],
        stopReason: "toolUse",
      }),
      result("e3", "e2", 3, "b", "Command exited with code 3", { isError: true }),
      result("e4", "e3", 4, "a", "", { content: [{ type: "text", text: "Read image" }, image] }),
      result("e5", "e4", 5, "c", "zzz\n\nCommand aborted", { isError: true, details: { diff: "+1" } }),
      said("e6", "e5", 6, "", { stopReason: "error", errorMessage: "This operation was aborted" }),
    );
    expect(of("thinking", "tool.start", "tool.end", "turn.end")).toMatchObject([
      { type: "thinking", thinking: "", thinkingSignature: "x" },
      { toolCallId: "a", toolName: "read", input: { path: "a.png" } },
      { toolCallId: "b" },
      { toolCallId: "c" },
      { toolCallId: "b", toolName: "bash", output: "Command exited with code 3", isError: true },
      { toolCallId: "a", output: [{ type: "text", text: "Read image" }, image], isError: false },
      { toolCallId: "c", isError: true, refused: true, details: { diff: "+1" } },
      { outcome: "cancelled", reason: "This operation was aborted" },
    ]);
    expect(item.errors).toBe(1);
    expect(await source.loadMessages(TENANT, "s1")).toMatchObject([
      {},
      {},
      { role: "toolResult" },
      {},
      {},
      {},
    ]);
  });

  it("shows an attempt that failed and was tried again as an error, and no call sees it", async () => {
    const opened = await openOne(
      user("e1", null, 1, "Count."),
      said("e2", "e1", 2, "Se", {
        stopReason: "error",
        errorMessage: "503: overloaded",
        usage: usage(0, 0, 0),
      }),
      entry("context_edit", "e3", "e2", 2, { targetId: "e2", replacement: null }),
      said("e4", "e3", 3, "Seven."),
    );
    const { of, item } = opened;
    expect(of("llm.end", "text", "error", "pi.context_edit", "turn.end")).toMatchObject([
      { type: "text", text: "Se" },
      { type: "llm.end", callId: "e2" },
      { type: "error", error: { message: "503: overloaded" } },
      { type: "pi.context_edit", bookkeeping: "record" },
      { type: "text", text: "Seven." },
      { type: "llm.end", callId: "e4", stopReason: "stop" },
      { type: "turn.end", outcome: "completed" },
    ]);
    expect([item.errors, item.status]).toEqual([1, "idle"]);
    expect(seenIn(opened)).toEqual([0, 2]);
  });

  it("takes back what is on another branch than its last entry: that happened, and was paid for", async () => {
    const entries = [
      user("e1", null, 1, "Count."),
      said("e2", "e1", 2, "Seven."),
      user("e3", "e2", 3, "Are you sure?"),
      said("e4", "e3", 4, "Eight."),
    ];
    const summed = await openOne(
      ...entries,
      entry("branch_summary", "e5", "e2", 5, { fromId: "e4", summary: "Doubts." }),
    );
    expect(summed.item).toMatchObject({ turns: 2, tokens: 40 });
    expect(summed.of("pi.branch_summary")).toMatchObject([
      { fromId: "e4", summary: "Doubts.", droppedMessages: 2 },
    ]);
    expect(summed.outline.removals).toMatchObject([
      { at: 4, cause: "rewind", timestamp: at(5), messages: [[2, 4]] },
    ]);
    expect(seenIn(summed)).toEqual([0, 1, 4]);
    const asked = await openOne(
      ...entries,
      user("e5", "e2", 5, "And now?"),
      user("e6", "e4", 6, "Back again."),
    );
    expect(seenIn(asked)).toEqual([0, 1, 2, 3, 5]);
    expect(asked.of("turn.start")).toHaveLength(4);
  });

  it("says what a compaction left in the context, and counts its call", async () => {
    const opened = await openOne(
      user("e1", null, 1, "Count."),
      said("e2", "e1", 2, "", { stopReason: "error", errorMessage: "400: no", usage: usage(0, 0, 0) }),
      user("e3", "e2", 3, "Again."),
      said("e4", "e3", 4, "", { stopReason: "error", errorMessage: "400: no", usage: usage(0, 0, 0) }),
      entry("compaction", "e5", "e4", 9, {
        summary: "Nothing yet.",
        firstKeptEntryId: "e3",
        tokensBefore: 70,
        usage: usage(4, 2, 0.5),
        fromHook: false,
      }),
    );
    const { of, item } = opened;
    expect(of("llm.start", "compaction.start", "compaction.end").slice(-3)).toMatchObject([
      { callId: "e5", model: "m-1" },
      { tokensBefore: 70 },
      { tokensBefore: 70, summary: "Nothing yet." },
    ]);
    expect(of("llm.end").at(-1)).toMatchObject({ callId: "e5", model: "m-1", costUSD: 0.5 });
    // The record neither answers the earlier failure nor takes it back.
    expect([item.status, item.usage!.inputTokens]).toEqual(["error", 4]);
    expect(opened.outline.calls.map(({ callId }) => callId)).toEqual(["e2", "e4"]);
    expect(seenIn(opened)).toEqual([4, 2]);
  });

  it("counts what a tool's own calls used, and calls that are no message", async () => {
    const { item, of } = await openOne(
      user("e1", null, 1, "Look."),
      called("e2", "e1", 2, "c"),
      result("e3", "e2", 3, "c", "ok", { usage: usage(100, 50, 0.25) }),
      entry("usage", "e4", "e3", 4, {
        kind: "cache_warm",
        provider: "other",
        model: "m-2",
        usage: usage(1, 1, 0.5),
      }),
    );
    expect(item.usage).toMatchObject({ inputTokens: 111, outputTokens: 54 });
    expect(of("llm.end").map(({ callId, model, costUSD }) => [callId, model, costUSD])).toEqual([
      ["e2", "m-1", 0.01],
      ["e3", "m-1", 0.25],
      ["e4", "m-2", 0.5],
    ]);
  });

  it("shows what nobody typed as what it is", async () => {
    const { of, item, events, source, outline } = await openOne(
      message("e1", null, 1, { role: "system", content: "", sections: { rules: "Be short.", cwd: "/work" } }),
      entry("custom_message", "e2", "e1", 1, {
        customType: "note",
        content: "From an extension.",
        display: true,
      }),
      message("e3", "e2", 1, {
        role: "hookMessage",
        customType: "old",
        content: "From a hook.",
        display: true,
      }),
      user("e4", "e3", 2, "Count."),
      message("e5", "e4", 3, { role: "bashExecution", command: "ls", output: "a", exitCode: 1 }),
      message("e6", "e5", 3, {
        role: "bashExecution",
        command: "pwd",
        output: "b",
        excludeFromContext: true,
      }),
      entry("label", "e7", "e6", 4, { targetId: "e4", label: "start" }),
      entry("custom", "e8", "e7", 4, { customType: "state", data: {} }),
      entry("invented", "e9", "e8", 5),
      message("e10", "e9", 6, { role: "stranger", content: "?" }),
    );
    expect([item.turns, item.errors, outline.calls.length]).toEqual([1, 0, 0]);
    expect(of("text")).toMatchObject([
      { role: "system" },
      { role: "user", customType: "note" },
      { role: "user", customType: "old" },
    ]);
    expect(events.map(({ type }) => type).filter((type) => `${type}`.startsWith("pi."))).toEqual([
      "pi.session",
      "pi.bashExecution",
      "pi.bashExecution",
      "pi.label",
      "pi.custom",
      "pi.invented",
      "pi.stranger",
    ]);
    expect(await source.loadMessages(TENANT, "s1")).toHaveLength(6);
  });

  it("says which version of the format it is of, and which types of entries are not known", () => {
    const read = (record: object) => piFormat.parts(record as JsonObject, 1);
    expect(read(header("s1")).version).toBe("3");
    expect(read(header("s1", { version: undefined })).version).toBe("1");
    expect(read(header("s1", { version: 4.5 })).version).toBe("4.5");
    for (const type of ["custom", "label", "usage", "compaction", "model_change", "context_edit"])
      expect(read(entry(type, "e1", null, 1)).unknownType).toBeUndefined();
    for (const role of ["user", "assistant", "toolResult", "bashExecution", "system", "hookMessage"])
      expect(read(message("e1", null, 1, { role })).unknownType).toBeUndefined();
    expect(read(entry("compact", "e1", null, 1)).unknownType).toBe("compact");
    expect(read(message("e1", null, 1, { role: "stranger" })).unknownType).toBe("stranger");
    expect(read({ type: 5 }).unknownType).toBe("unknown");
  });

  it("is read in its order where its version had no ids yet", async () => {
    const old = (type: string, second: number, more: object) => ({ type, timestamp: at(second), ...more });
    const root = await newSessions({
      [fileOf("s1")]: lines(
        { type: "session", id: "s1", timestamp: at(0), cwd: "/srv/shop", provider: "acme", modelId: "m-1" },
        old("message", 1, { message: { role: "user", content: "Count." } }),
        old("message", 2, {
          message: { role: "assistant", content: [{ type: "text", text: "7" }], model: "m-1" },
        }),
        old("message", 3, { message: { role: "user", content: "Again." } }),
        old("compaction", 4, { summary: "Counted.", firstKeptEntryIndex: 3, tokensBefore: 9 }),
      ),
    });
    const source = await openSessions(root);
    const messages = await (await source.openSession!(TENANT, "s1"))!.messages();
    expect(await source.listSessions()).toMatchObject([{ turns: 2, title: "Count.", model: "m-1" }]);
    expect(seenIn({ outline: messages.outline!, size: messages.size })).toEqual([3, 2]);
  });
});

describe("A session of OpenClaw", () => {
  it("is read with what it leaves out", async () => {
    const root = await newSessions({
      "main/sessions/sessions.json": "{}",
      "main/sessions/s1.jsonl": lines(
        header("s1"),
        { type: "custom", customType: "model-snapshot", data: {} },
        entry("message", "m1", "s1", 1, { message: { role: "user", content: "[media attached: a.png]" } }),
        entry("custom_message", "m2", "m1", 1, {
          customType: "openclaw.runtime-context",
          content: "It is noon.",
        }),
        entry("message", "m3", "m2", 2, {
          message: { role: "assistant", content: [{ type: "toolCall", name: "send", arguments: {} }] },
        }),
        entry("message", "m4", "t1", 3, {
          message: { role: "toolResult", toolCallId: "m3#0", content: "sent" },
        }),
        said("m5", "m4", 4, "Delivered.", {
          provider: "openclaw",
          model: "delivery-mirror",
          usage: usage(0, 0, 0),
        }),
      ),
    });
    const source = await openSessions(root, { format: "openclaw" });
    const [item] = await source.listSessions();
    expect(item).toMatchObject({
      turns: 1,
      tokens: 0,
      lastAnswer: "Delivered.",
      title: "[media attached: a.png]",
    });
    const trace = await source.loadTraceEnvelopes(TENANT, "s1");
    const of = (type: string) => trace.map(({ event }) => event).filter((event) => event.type === type);
    expect(of("llm.end")).toMatchObject([{ callId: "m3" }]);
    expect(of("tool.end")).toMatchObject([{ toolCallId: "m3#0", toolName: "send", output: "sent" }]);
    expect(of("openclaw.custom")).toHaveLength(1);
    const { outline, size } = await (await source.openSession!(TENANT, "s1"))!.messages();
    // The model does not get a delivered message twice.
    expect(seenIn({ outline: outline!, size })).toEqual([0, 1, 2, 3]);
  });
});
