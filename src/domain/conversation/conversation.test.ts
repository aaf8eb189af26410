import { describe, expect, it } from "vitest";
import { CUT_OFF, cutDeep, type JsonObject } from "../json/json.js";
import { compareContexts, foldRuns, messageText } from "./compare-contexts.js";
import { contextCalls, isCompacted } from "./context-calls.js";
import { contextLengths, contextOf, contextSizes } from "./context-messages.js";
import { conversationEntries, messageParts, type ReadMessage, readMessage } from "./conversation.js";

const SUMMARY = "This session is being continued from a previous conversation that ran out of context.";

const history = [
  { role: "system", content: "be brief" },
  { role: "user", content: "list the files" },
  { role: "assistant", id: "m1", content: [{ type: "thinking", thinking: "ls" }] },
  {
    role: "assistant",
    id: "m1",
    content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "a\nb", is_error: true }] },
  { role: "assistant", id: "m2", content: [{ type: "text", text: "two files" }] },
  { role: "user", content: SUMMARY },
  { role: "user", content: "go on" },
  { role: "assistant", id: "m3", content: [{ type: "text", text: "done" }] },
].map(readMessage);

describe("the parts of a message", () => {
  it("has the calls and thoughts of Inspect, whose calls name a function where others have an object", () => {
    const content = [
      { type: "reasoning", reasoning: "Hm." },
      { type: "text", text: "Looking." },
    ];
    const calls = [{ id: "t", function: "bash", arguments: { cmd: "ls" }, type: "function" }];
    expect(messageParts({ role: "assistant", content, tool_calls: calls })).toEqual([
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Looking." },
      { type: "call", callId: "t", name: "bash", input: { cmd: "ls" } },
    ]);
  });

  it("are read in the formats of several vendors", () => {
    const call = { type: "call", callId: "c", name: "ls", input: { a: 1 } };
    const result = { type: "result", callId: "c", text: "ok", images: [], isError: false };
    expect(
      messageParts({
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", function: { name: "ls", arguments: '{"a":1}' } }],
      }),
    ).toEqual([call]);
    expect(messageParts({ role: "tool", tool_call_id: "c", content: "ok" })).toEqual([result]);
    expect(
      messageParts({
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c", toolName: "ls", input: { a: 1 } }],
      }),
    ).toEqual([call]);
    expect(
      messageParts({
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c", output: { type: "text", value: "ok" } }],
      }),
    ).toEqual([result]);
    expect(
      messageParts({
        role: "model",
        parts: [{ text: "hi" }, { functionCall: { id: "c", name: "ls", args: { a: 1 } } }],
      }),
    ).toEqual([{ type: "text", text: "hi" }, call]);
    expect(
      messageParts({
        role: "user",
        content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } }],
      }),
    ).toEqual([{ type: "image", source: "data:image/png;base64,AA" }]);
  });

  it("are read in the format of OpenTelemetry", () => {
    const message = {
      role: "assistant",
      parts: [
        { type: "reasoning", content: "I look." },
        { type: "text", content: "Looking." },
        { type: "tool_call", id: "c", name: "ls", arguments: '{"a":1}' },
        { type: "tool_call", id: "d", name: "ls", arguments: { a: 1 } },
        { type: "blob", modality: "image", mime_type: "image/png", content: "AA" },
        { type: "uri", modality: "image", uri: "https://host/a.png" },
      ],
      finish_reason: "tool_call",
    };
    expect(messageParts(message)).toEqual([
      { type: "thinking", text: "I look." },
      { type: "text", text: "Looking." },
      { type: "call", callId: "c", name: "ls", input: { a: 1 } },
      { type: "call", callId: "d", name: "ls", input: { a: 1 } },
      { type: "image", source: "data:image/png;base64,AA" },
      { type: "image", source: "https://host/a.png" },
    ]);
    const parts = [
      { type: "tool_call_response", id: "c", response: "ok" },
      { type: "tool_call_response", id: "c", result: "ok" },
    ];
    const result = { type: "result", callId: "c", text: "ok", images: [], isError: false };
    expect(messageParts({ role: "tool", parts })).toEqual([result, result]);
    const [structured] = messageParts({ role: "tool", parts: [{ ...parts[0], response: { n: 1 } }] });
    expect(structured).toMatchObject({ text: '{\n  "n": 1\n}' });
  });

  it("are read in the events of the Copilot CLI", () => {
    const event = (type: string, data: JsonObject) =>
      readMessage({ type, data, id: "e1", parentId: null }, 0);
    const toolRequests = [{ toolCallId: "c", name: "ls", arguments: { a: 1 }, type: "function" }, 5];
    const answer = { content: "Looking.", reasoningText: "I look.", apiCallId: "m", toolRequests };
    expect(event("assistant.message", answer)).toMatchObject({
      origin: "assistant",
      answerId: "m",
      parts: [
        { type: "thinking", text: "I look." },
        { type: "text", text: "Looking." },
        { type: "call", callId: "c", name: "ls", input: { a: 1 } },
        { type: "other", value: 5 },
      ],
    });
    const result = { type: "result", callId: "c", text: "ok", images: [], isError: false };
    expect(
      event("tool.execution_complete", { toolCallId: "c", success: true, result: { content: "ok" } }),
    ).toMatchObject({ origin: "tool", parts: [result] });
    expect(
      event("tool.execution_complete", { toolCallId: "c", success: false, error: { message: "no" } }),
    ).toMatchObject({ origin: "tool", parts: [{ ...result, text: "no", isError: true }] });
    expect(event("user.message", { content: "Hi.", transformedContent: "<date/> Hi." })).toMatchObject({
      origin: "user",
      parts: [{ type: "text", text: "<date/> Hi." }],
    });
    expect(event("system.message", { content: "Be brief." }).origin).toBe("system");
    expect(event("session.compaction_complete", { summaryContent: "All." })).toMatchObject({
      origin: "summary",
      parts: [{ type: "text", text: "All." }],
    });
    expect(event("session.shutdown", { content: "x" }).parts).toMatchObject([{ type: "other" }]);
  });

  it("are read in the events of Kimi Code's loop, of which several are one answer", () => {
    const event = (type: string, more: JsonObject) =>
      readMessage({ type: "context.append_loop_event", event: { type, ...more } }, 0);
    const answer = { origin: "assistant", isItem: true };
    expect(event("content.part", { part: { type: "think", think: "Hm." } })).toMatchObject({
      ...answer,
      parts: [{ type: "thinking", text: "Hm." }],
    });
    expect(event("content.part", { part: { type: "text", text: "Two." } })).toMatchObject({
      ...answer,
      parts: [{ type: "text", text: "Two." }],
    });
    expect(event("tool.call", { toolCallId: "Bash_0", name: "Bash", args: { a: 1 } })).toMatchObject({
      ...answer,
      parts: [{ type: "call", callId: "Bash_0", name: "Bash", input: { a: 1 } }],
    });
    const result = event("tool.result", { toolCallId: "Bash_0", result: { output: "no", isError: true } });
    expect(result).toMatchObject({
      origin: "tool",
      parts: [{ type: "result", callId: "Bash_0", text: "no", isError: true }],
    });
    const compaction = { type: "context.apply_compaction", summary: "All.", contextSummary: "So far: all." };
    expect(readMessage(compaction, 0)).toMatchObject({
      origin: "summary",
      parts: [{ type: "text", text: "So far: all." }],
    });
    expect(event("step.end", {}).parts).toMatchObject([{ type: "other" }]);
  });

  it("are read in the formats of the AI SDK", () => {
    const tool = { toolCallId: "c", input: { a: 1 } };
    const call = { type: "call", callId: "c", name: "ls", input: { a: 1 } };
    const result = { type: "result", callId: "c", text: "ok", images: [], isError: false };
    const parts = [
      { type: "step-start" },
      { type: "reasoning", text: "I look." },
      { type: "tool-ls", state: "output-available", output: "ok", ...tool },
      { type: "dynamic-tool", toolName: "ls", state: "output-error", errorText: "ok", ...tool },
      { type: "tool-ls", state: "input-available", ...tool },
      { type: "file", mediaType: "image/png", url: "data:image/png;base64,AA" },
      { type: "data-weather", data: { sun: 1 } },
    ];
    expect(messageParts({ id: "m", role: "assistant", parts })).toEqual([
      { type: "thinking", text: "I look." },
      call,
      result,
      call,
      { ...result, isError: true },
      call,
      { type: "image", source: "data:image/png;base64,AA" },
      { type: "other", value: parts[6] },
    ]);
    const old = { role: "user", content: "hello", parts: [{ type: "text", text: "hello" }] };
    expect(messageParts(old)).toEqual([{ type: "text", text: "hello" }]);
  });

  it("are never nothing where something was recorded", () => {
    const odd = [
      { type: "text", value: "x" },
      { type: "reasoning", encrypted_content: "…" },
      { type: "blob", modality: "audio", mime_type: "audio/wav", content: "AA" },
      { type: "uri", modality: "video", uri: "https://host/a.mp4" },
      { type: "file", modality: "image_of_nothing", file_id: "f1" },
      { type: "server_tool_call", id: "c" },
      7,
      null,
    ];
    expect(messageParts({ role: "user", parts: odd })).toEqual(
      odd.map((value) => ({ type: "other", value })),
    );
    const refusal = { role: "assistant", content: null, refusal: "No." };
    expect(messageParts(refusal)).toEqual([{ type: "other", value: refusal }]);
  });

  it("of Gemini's parts are thoughts, texts and calls, and what a function gave or how it failed", () => {
    const response = (id: string, value: unknown) => ({
      functionResponse: { id, name: "ls", response: value },
    });
    const parts = [
      { text: "Look.", thought: true },
      { text: "I look." },
      response("a", { output: "ok" }),
      response("b", { error: "no such file" }),
      response("c", { files: 2 }),
      response("d", { output: "", error: "late" }),
    ];
    const result = { type: "result", images: [] };
    expect(messageParts({ role: "model", parts })).toEqual([
      { type: "thinking", text: "Look." },
      { type: "text", text: "I look." },
      { ...result, callId: "a", text: "ok", isError: false },
      { ...result, callId: "b", text: "no such file", isError: true },
      { ...result, callId: "c", text: expect.stringContaining("files"), isError: false },
      { ...result, callId: "d", text: "", isError: false },
    ]);
  });

  it("of a compression are its summary, and the messages that it left take the place of all before it", () => {
    const history = [
      { role: "user", parts: [{ text: "<state_snapshot>Fixed.</state_snapshot>" }] },
      { role: "model", parts: [{ text: "Got it." }] },
      { role: "user", parts: [{ text: "a file" }] },
    ];
    const message = { type: "system", systemPayload: { info: {}, compressedHistory: history } };
    expect(readMessage(message, 4)).toMatchObject({
      origin: "summary",
      parts: [{ type: "text", text: "<state_snapshot>Fixed.</state_snapshot>" }],
      replacement: [{ origin: "summary" }, { origin: "assistant" }, { origin: "user" }],
    });
  });

  it("of a message that holds thoughts, calls and their results are all of these", () => {
    const response = (member: string) => [
      { functionResponse: { id: "c", name: "ls", response: { [member]: "ok" } } },
    ];
    const message = {
      type: "gemini",
      id: "m1",
      thoughts: [{ subject: "Files", description: "List them.", timestamp: "" }, 5],
      content: "I will look.",
      toolCalls: [
        { id: "c", name: "ls", args: { a: 1 }, status: "success", result: response("output") },
        { id: "d", name: "ls", args: {}, status: "cancelled", result: response("error") },
        { id: "e", name: "ls", args: {}, status: "executing", result: null },
        "odd",
      ],
    };
    expect(messageParts(message)).toEqual([
      { type: "thinking", text: "Files\n\nList them." },
      { type: "other", value: 5 },
      { type: "text", text: "I will look." },
      { type: "call", callId: "c", name: "ls", input: { a: 1 } },
      { type: "result", callId: "c", text: "ok", images: [], isError: false },
      { type: "call", callId: "d", name: "ls", input: {} },
      { type: "result", callId: "d", text: "ok", images: [], isError: true },
      { type: "call", callId: "e", name: "ls", input: {} },
      { type: "other", value: "odd" },
    ]);
    const read = readMessage(message, 0);
    expect(read).toMatchObject({ role: "assistant", origin: "assistant", answerId: "m1" });
    const entries = conversationEntries([read]);
    expect(entries.map(({ part }) => part.type)).toEqual([
      "thinking",
      "other",
      "text",
      "call",
      "call",
      "call",
      "other",
    ]);
    expect(readMessage({ type: "user", content: [{ text: "<state_snapshot>…" }] }, 0).origin).toBe("summary");
  });

  it("keep what nobody knows, and arguments that are no JSON", () => {
    expect(messageParts({ role: "user", content: [{ type: "hologram", x: 1 }] })).toEqual([
      { type: "other", value: { type: "hologram", x: 1 } },
    ]);
    expect(messageParts({ nothing: "known" })).toEqual([{ type: "other", value: { nothing: "known" } }]);
    expect(
      messageParts({ role: "assistant", tool_calls: [{ id: "c", function: { name: "f", arguments: "{" } }] }),
    ).toEqual([{ type: "call", callId: "c", name: "f", input: "{" }]);
  });
});

describe("the conversation", () => {
  it("joins calls with their results and names each speaker once", () => {
    const entries = conversationEntries(history);
    expect(entries.map(({ part, opensSpeaker }) => [part.type, opensSpeaker])).toEqual([
      ["text", true],
      ["text", true],
      ["thinking", true],
      ["call", false],
      ["text", false],
      ["text", true],
      ["text", true],
      ["text", true],
    ]);
    expect(entries[3]!.result).toMatchObject({ text: "a\nb", isError: true });
    expect(entries[5]!.origin).toBe("summary");
  });

  it("knows a compaction's summary by how it begins", () => {
    for (const words of [
      "[Summary of the conversation so far]",
      "This session is being continued from a previous conversation",
    ]) {
      expect(readMessage({ role: "user", content: `${words}\nTask: …` }, 0).origin).toBe("summary");
    }
    expect(readMessage({ role: "user", content: "Write a summary." }, 0).origin).toBe("user");
  });

  it("shows a result whose call is gone", () => {
    const orphan = readMessage({ role: "tool", tool_call_id: "gone", content: "x" }, 0);
    expect(conversationEntries([orphan])).toHaveLength(1);
  });
});

describe("the contexts of the model calls", () => {
  const calls = contextCalls(history);

  it("hold what came before the answer, back to the last compaction", () => {
    const places = calls.map((call) => {
      const context = contextOf(history, call).map(({ index }) => index);
      return [context, call.answerEnd, isCompacted(call)];
    });
    expect(places).toEqual([
      [[0, 1], 4, false],
      [[0, 1, 2, 3, 4], 6, false],
      [[0, 6, 7], 9, true],
    ]);
  });

  it("are measured by origin", () => {
    expect(
      contextSizes(history, calls).map(({ system, tool, summary }) => [system, tool, summary > 0]),
    ).toEqual([
      [2, 0, false],
      [2, 1, false],
      [2, 0, true],
    ]);
  });

  it("compare as added and kept from call to call, and as dropped over a compaction", () => {
    const context = (call: (typeof calls)[number]) => contextOf(history, call);
    const changes = (a: number, b: number) =>
      compareContexts(context(calls[a]!), context(calls[b]!)).map(
        ({ change, before, after }) => `${change} ${(after ?? before)!.index}`,
      );
    expect(changes(0, 1)).toEqual(["kept 0", "kept 1", "added 2", "added 3", "added 4"]);
    expect(changes(1, 2)).toEqual([
      "kept 0",
      "dropped 1",
      "dropped 2",
      "dropped 3",
      "dropped 4",
      "added 6",
      "added 7",
    ]);
    expect(changes(2, 0)).toEqual(["kept 0", "dropped 6", "dropped 7", "added 1"]);
  });

  it("are exactly what a compaction left where it says so", () => {
    const answer = (role: string, text: string) => ({
      type: "message",
      role,
      content: [{ type: "input_text", text }],
    });
    const items = [
      answer("developer", "Rules"),
      answer("user", "Fix it"),
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "function_call", call_id: "c1", name: "shell", arguments: '{"command":"ls"}' },
      { type: "function_call_output", call_id: "c1", output: "a\nb" },
      answer("assistant", "Fixed."),
      { message: "", replacement_history: [answer("user", "Fix it"), answer("user", "So far: fixed.")] },
      answer("user", "Thanks"),
      answer("assistant", "Welcome."),
    ].map((record, index) => readMessage(record, index));
    const made = contextCalls(items);
    expect(made.map((call) => [call.to, call.answerEnd, isCompacted(call)])).toEqual([
      [2, 4, false],
      [5, 6, false],
      [8, 9, true],
    ]);
    const [, before, after] = made.map((call) => contextOf(items, call));
    expect(contextLengths(items, made)).toEqual([2, 5, 3]);
    const changes = compareContexts(before!, after!).map(
      ({ change, before, after }) => `${change} ${messageText((after ?? before)!).split("\n")[0]}`,
    );
    expect(changes).toEqual([
      "dropped Rules",
      "kept Fix it",
      "dropped Hm.",
      "dropped shell {",
      "dropped a",
      "added So far: fixed.",
      "added Thanks",
    ]);
    expect(contextSizes(items, made).at(-1)).toMatchObject({ system: 0, assistant: 0, tool: 0 });
    const entries = conversationEntries(items);
    expect(entries.find(({ part }) => part.type === "call")!.result).toMatchObject({ text: "a\nb" });
    expect(entries.find(({ origin }) => origin === "summary")!.part).toEqual({
      type: "text",
      text: "So far: fixed.",
    });
  });

  it("pair a cleared tool result with what it was", () => {
    const result = (text: string, index: number) =>
      readMessage(
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: text }] },
        index,
      );
    expect(compareContexts([result("long", 3)], [result("[cleared]", 0)])).toMatchObject([
      { change: "rewritten" },
    ]);
  });

  it("fold what was kept, and long stretches of what was dropped", () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      readMessage({ role: "user", content: `m${index}` }, index),
    );
    const rows = foldRuns(compareContexts(many.slice(0, 8), many));
    expect(rows.map((row) => (row.change === "run" ? row.rows.length : row.change))).toEqual([
      7,
      "kept",
      "added",
    ]);
    const gone = Array.from({ length: 12 }, (_, index) =>
      readMessage({ role: "user", content: `gone ${index}` }, index + 20),
    );
    expect(
      foldRuns(compareContexts(gone, [])).map((row) => row.change === "run" && [row.of, row.rows.length]),
    ).toEqual([["dropped", 12]]);
  });

  it("have more rows than one call takes as its arguments", () => {
    const many = Array.from({ length: 200_000 }, (_, index) =>
      readMessage({ role: "user", content: `m${index}` }, index),
    );
    expect(foldRuns(compareContexts([], many))).toHaveLength(200_000);
  });
});

describe("what is nested in itself", () => {
  it("is a result in results, which are read as far as any are, and then shown as they are", () => {
    let content: unknown = "inmost";
    for (let i = 0; i < 10_000; i++) content = [{ type: "tool_result", tool_use_id: `t${i}`, content }];
    const [part] = messageParts(cutDeep({ role: "user", content }) as JsonObject);
    expect(part).toMatchObject({ type: "result", callId: "t9999", text: expect.stringContaining(CUT_OFF) });
  });

  it("is a compaction in what compactions left, which are read as far as any are", () => {
    let message: JsonObject = { role: "user", content: "inmost" };
    for (let i = 0; i < 10_000; i++) message = { type: "compacted", replacement_history: [message] };
    let [depth, read]: [number, ReadMessage | undefined] = [0, readMessage(message, 0)];
    for (; read?.replacement !== undefined; read = read.replacement[0]) depth++;
    expect(depth).toBe(8);
  });

  it("is more of what a message holds than one call takes as its arguments", () => {
    const thoughts = Array.from({ length: 200_000 }, () => ({ subject: "a" }));
    expect(messageParts({ role: "gemini", thoughts })).toHaveLength(200_000);
  });
});
