import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { withAgentMessages } from "../../ui/test/fixtures/with-agent-messages.js";
import { askAllPages, inspect, MOUNTS } from "../support/inspector.js";
import { envelope, orchestrationEvent } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const LONG = `${"x".repeat(3_999)}😀 and more`;

const MESSAGES = [
  { role: "system", content: "be brief" },
  { role: "user", content: LONG },
  {
    role: "assistant",
    id: "m1",
    content: [{ type: "tool_use", id: "t1", name: "Edit", input: { path: "a.ts" } }],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "edited" }] },
  { role: "assistant", id: "m2", content: "Done." },
  { role: "user", content: "<summary>All is done.</summary>" },
  { role: "assistant", id: "m3", content: "Good." },
];

const llm = (at: number, messageId: string, members: object = {}, end: object = {}) => [
  envelope(at, { event: { type: "llm.start", callId: messageId, ...members } }),
  envelope(at + 1, { event: { type: "llm.end", callId: messageId, messageId, ...members, ...end } }),
];

const SESSION = {
  sessionId: "s1",
  tenantId: "acme",
  messages: MESSAGES,
  envelopes: [
    envelope(0),
    ...llm(1, "m1", {}, { usage: { inputTokens: 900, cacheReadTokens: 100 } }),
    envelope(3, { event: { type: "tool.start", toolCallId: "t1", toolName: "Edit" } }),
    envelope(4, { event: { type: "tool.end", toolCallId: "t1", toolName: "Edit", output: "edited" } }),
    ...llm(5, "m2"),
    envelope(7, { event: { type: "acme.note" } }),
    ...llm(8, "m3"),
    ...llm(10, "sub1", { agentId: "a1" }),
    ...llm(12, "given", { system: "be nice", messages: [{ role: "user", content: "hello" }] }),
    ...llm(14, "gone"),
  ],
  orchestrationEvents: [
    orchestrationEvent(0, { type: "agent_spawned", agent: { id: "a1", role: "helper" } }),
  ],
};

const CONTEXT = "/sessions/s1/context?tenantId=acme";

describe.each(SOURCES)("What a model call saw, of a source in %s", (_, sourceOf) => {
  const ask = async (query: string, source?: InspectorDataSource) =>
    inspect(source ?? (await sourceOf([SESSION]))).ask(`${CONTEXT}&${query}`);

  it("is what the conversation held before its answer", async () => {
    const { status, body } = await ask("call=t1-5");
    expect(status).toBe(200);
    expect(body.call).toEqual({
      id: "t1-5",
      timestamp: SESSION.envelopes[5]!.timestamp,
      size: 4,
      estimatedTokens: 2 + 1_003 + 5 + 2,
      source: "conversation",
    });
    expect(body.messages).toMatchObject([
      { index: 0, role: "system", origin: "system", text: "be brief", length: 8, tokens: 2 },
      { index: 1, origin: "user", tokens: 1_003 },
      { index: 2, origin: "assistant", toolCallIds: ["t1"] },
      { index: 3, role: "user", origin: "tool", text: "edited", toolCallIds: ["t1"] },
    ]);
    expect(body.nextCursor).toBeNull();
  });

  it("is found by a tool call, its end, or anything that came behind it", async () => {
    for (const id of ["t1-1", "t1-2", "t1-3", "t1-4"]) {
      const { body } = await ask(`call=${id}`);
      expect([id, body.call]).toMatchObject([id, { id: "t1-1", size: 2, countedTokens: 1_000 }]);
    }
    expect((await ask("call=t1-7")).body.call).toMatchObject({ id: "t1-5", size: 4 });
  });

  it("goes back to the last compaction, with what the system said", async () => {
    const { body } = await ask("call=t1-8");
    expect(body.messages).toMatchObject([
      { index: 0, origin: "system" },
      { index: 5, origin: "summary" },
    ]);
  });

  it("has long texts cut, at a whole character, with their length", async () => {
    const { body } = await ask("call=t1-1");
    const [, { text, length }] = body.messages as [unknown, { text: string; length: number }];
    expect([text, length]).toEqual(["x".repeat(3_999), LONG.length]);
  });

  it("is what the call itself records, where it does", async () => {
    const { body } = await ask("call=t1-12");
    expect(body).toMatchObject({
      call: { size: 2, source: "call" },
      messages: [
        { index: 0, origin: "system", text: "be nice" },
        { index: 1, origin: "user", text: "hello" },
      ],
    });
  });

  it("is nothing where neither says it", async () => {
    const { body } = await ask("call=t1-14");
    expect(body).toMatchObject({ call: { id: "t1-14", size: 0, source: null }, messages: [] });
    // A sub-agent without a stored conversation.
    const ofAgent = (await ask("call=t1-10")).body;
    expect(ofAgent).toMatchObject({ call: { agentId: "a1", size: 0, source: null }, messages: [] });
  });

  it("comes in pages", async () => {
    const inspector = inspect(await sourceOf([SESSION]));
    const whole = (await inspector.ask(`${CONTEXT}&call=t1-5`)).body.messages;
    expect(await askAllPages(inspector, `${CONTEXT}&call=t1-5`, "messages", 3)).toEqual(whole);
    const { nextCursor } = (await inspector.ask(`${CONTEXT}&call=t1-5&limit=3`)).body;
    const { status } = await inspector.ask(`${CONTEXT}&call=t1-8&cursor=${nextCursor}`);
    expect(status).toBe(400);
  });

  it("has a hundred messages at most, unless told", async () => {
    const messages = [
      ...Array.from({ length: 150 }, (_, i) => ({ role: "user", content: `m${i}` })),
      MESSAGES[4]!,
    ];
    const { body } = await ask("call=t1-5", await sourceOf([{ ...SESSION, messages }]));
    expect(body.messages).toHaveLength(100);
    expect(body.nextCursor).not.toBeNull();
  });

  it.each([
    ["call=", "call must be the id of an envelope of the trace."],
    ["call=nothing", "call names no step of this session up to which there is a model call."],
    ["call=t1-0", "call names no step of this session up to which there is a model call."],
    ["call=t1-5&limit=0", "limit must be an integer from 1 to 1000."],
    ["call=t1-5&call=t1-8", "call must occur once."],
  ])("is refused for %s", async (query, detail) => {
    const { status, body } = await ask(query);
    expect([status, body.detail]).toEqual([400, detail]);
  });
});

describe.each(MOUNTS)("What a sub-agent's call saw, mounted at %s", (_, prefix) => {
  it("is what its own conversation held", async () => {
    const own = [
      { role: "user", content: "Look around." },
      { role: "assistant", id: "sub1", content: "Nothing." },
    ];
    const source = withAgentMessages(createInMemoryInspectorDataSource([SESSION]), { a1: own });
    const { body } = await inspect(source, prefix).ask(`${CONTEXT}&call=t1-10`);
    expect(body).toMatchObject({
      call: { agentId: "a1", size: 1, source: "conversation" },
      messages: [{ index: 0, origin: "user", text: "Look around." }],
    });
  });

  it("is not found in a session that the source does not know", async () => {
    const inspector = inspect(createInMemoryInspectorDataSource([SESSION]), prefix);
    expect((await inspector.ask("/sessions/s1/context?tenantId=other&call=t1-5")).status).toBe(404);
  });

  it("names each of the messages that a compaction left word for word", async () => {
    const left = [
      { role: "user", content: "What was asked." },
      { type: "compaction_summary", role: "user", content: "What was done." },
    ];
    const messages = [
      MESSAGES[1]!,
      { type: "compacted", message: "", replacement_history: left },
      { role: "user", content: "Go on." },
      { role: "assistant", id: "m2", content: "Done." },
    ];
    const source = createInMemoryInspectorDataSource([{ ...SESSION, messages }]);
    const { body } = await inspect(source, prefix).ask(`${CONTEXT}&call=t1-5`);
    expect(body.messages).toMatchObject([
      { index: 1, item: 0, text: "What was asked." },
      { index: 1, item: 1, text: "What was done." },
      { index: 2, text: "Go on." },
    ]);
  });
});
