import { beforeEach, describe, expect, it, vi } from "vitest";
import { BASE, envelopes, FakeApi, SESSION } from "../../test/support/fake-api.js";
import { type EngineMethods, engineMethods } from "./engine-methods.js";
import { type SessionState, traceQuery } from "./trace/trace-protocol.js";

const LONG = "y".repeat(4_000);

const call = (id: string, name: string, input: object, message: string) => ({
  role: "assistant",
  id: message,
  content: [{ type: "tool_use", id, name, input }],
});
const result = (id: string, content: string) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content }],
});

const HISTORY = [
  { role: "system", content: "be brief" },
  { role: "user", content: "mend it" },
  call("t1", "Read", { file_path: "/shop/src/big.ts" }, "m1"),
  result("t1", LONG),
  call("t2", "Bash", { command: "ls" }, "m2"),
  result("t2", "one file"),
  { role: "user", content: "<summary>It is mended.</summary>" },
  call("t3", "Read", { file_path: "/shop/src/big.ts", offset: 1 }, "m3"),
  result("t3", LONG),
  { role: "assistant", id: "m4", content: [{ type: "text", text: "Done." }] },
];

const usage = (inputTokens: number, cacheReadTokens = 0) => ({ inputTokens, cacheReadTokens });
const TRACE = envelopes(
  ["turn.start", { turnIndex: 0 }],
  [
    "llm.start",
    {
      callId: "m1",
      model: "a",
      system: "be brief",
      tools: [{ name: "Read" }, { function: { name: "Bash" } }],
    },
  ],
  ["llm.end", { callId: "m1", usage: usage(20_000) }],
  ["tool.start", { toolCallId: "t1", toolName: "Read", input: { file_path: "/shop/src/big.ts" } }],
  ["tool.end", { toolCallId: "t1", toolName: "Read", output: LONG }],
  ["llm.start", { callId: "m2", model: "a" }],
  ["llm.end", { callId: "m2", usage: usage(1_000, 20_000) }],
  ["compaction.start", { trigger: "auto" }],
  ["compaction.end", { tokensAfter: 9_000 }],
  ["llm.start", { callId: "m3", model: "a" }],
  ["llm.end", { callId: "m3", usage: usage(9_000) }],
  ["llm.start", { callId: "m4", model: "a" }],
  ["llm.end", { callId: "m4", usage: usage(2_000, 9_000) }],
  ["turn.end", { turnIndex: 0 }],
);

let engine: EngineMethods;
let states: SessionState[];

beforeEach(async () => {
  const api = new FakeApi();
  states = [];
  engine = engineMethods(BASE, (update) => {
    if (update.topic === "session") states.push(update.state);
  });
  api.change("trace", ...TRACE);
  api.change("messages", ...HISTORY);
  await engine.openSession(SESSION, traceQuery({}));
  await engine.messagesView();
  await vi.waitFor(() => expect(states.at(-1)!.messagesVersion).toBeGreaterThan(0));
});

describe("a model call that a chart reads out", () => {
  const read = async (index: number) => {
    const { calls } = await engine.contextCalls();
    return engine.callReadout(calls[index]!.spanId!);
  };

  it("says what it read, and what more than the call before, and which result that was", async () => {
    expect(await read(0)).toMatchObject({ tokens: 20_000, change: undefined, causes: [{ by: "turn" }] });
    expect(await read(1)).toMatchObject({
      tokens: 21_000,
      change: 1_000,
      causes: [{ by: "result", tool: "Read", subject: "big.ts", tokens: 1_000 }],
    });
  });

  it("names a compaction as the cause of a drop, and of what no cache served", async () => {
    expect(await read(2)).toMatchObject({
      change: -12_000,
      causes: [{ by: "compaction" }, { by: "miss", cause: "compacted", tokens: 9_000 }],
    });
  });

  it("is a point of the overview of the session", () => {
    const { curve } = states.at(-1)!.overview;
    expect(curve.map(({ tokens }) => tokens)).toEqual([20_000, 21_000, 9_000, 11_000]);
    expect(engine.callReadout(curve[1]!.id)?.change).toBe(1_000);
    expect(engine.callReadout("no such call")).toBeUndefined();
  });
});

describe("a context", () => {
  it("begins with the system prompt and the tools, as they are recorded", async () => {
    expect(await engine.contextHead(0)).toMatchObject({
      system: { text: "be brief" },
      toolNames: ["Read", "Bash"],
    });
    expect(await engine.contextHead(3)).toMatchObject({ system: { text: "be brief" }, tools: undefined });
  });

  it("lists what a compaction dropped by size, and the call that read the same file again", async () => {
    const dropped = await engine.contextDropped(1, 2);
    expect(dropped.lines[0]).toMatchObject({
      uses: [{ name: "Read", paths: ["/shop/src/big.ts"] }],
      again: { name: "Read", same: "file", call: 3 },
    });
    expect(dropped.again.calls).toBe(1);
    expect(dropped.again.tokens).toBeCloseTo(dropped.lines[0]!.tokens);
    const { counts } = (await engine.contextCompare(1, 2))!;
    expect(dropped.tokens).toBeCloseTo(counts.dropped.tokens, -1);
  });
});
