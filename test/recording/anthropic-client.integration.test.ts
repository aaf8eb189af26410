import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it, vi } from "vitest";
import { createInMemoryInspectorDataSource, RecordingError } from "../../src/advanced.js";
import { recordAnthropic } from "../../src/anthropic.js";
import { SessionRecorder } from "../../src/recording.js";
import {
  anthropicEvents,
  anthropicMessage,
  modelVendor,
  type VendorAnswer,
} from "../support/model-vendor.js";
import { sessionInMemory } from "../support/recorded-session.js";

const ASKED = { model: "claude-opus-4-5", max_tokens: 100 } as const;
const HELLO: Anthropic.MessageParam[] = [{ role: "user", content: "What time is it?" }];
const CALLS = [
  { type: "thinking", thinking: "I need a clock.", signature: "sig" },
  { type: "text", text: "Let me look." },
  { type: "tool_use", id: "call-1", name: "clock", input: { zone: "UTC" } },
  { type: "tool_use", id: "call-2", name: "alarm", input: {} },
];
const ANSWER = [{ type: "text", text: "It is noon." }];
const USED = {
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 100,
  cacheWriteTokens: 4,
  cacheWrite1hTokens: 3,
};

async function recorded(...answers: readonly VendorAnswer[]) {
  const vendor = await modelVendor(answers);
  const memory = await sessionInMemory();
  const given = new Anthropic({ apiKey: "none", authToken: null, baseURL: vendor.url, maxRetries: 1 });
  const client = recordAnthropic(given, memory.session, { onError: memory.onError });
  return { ...memory, vendor, given, client };
}

async function loop(
  client: Anthropic,
  messages: Anthropic.MessageParam[],
  isStreamed = false,
): Promise<void> {
  for (;;) {
    const body = { ...ASKED, system: "You tell the time.", messages };
    const answer = isStreamed
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);
    messages.push({ role: "assistant", content: answer.content });
    const calls = answer.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return;
    const results = calls.map(({ id, name }) => {
      const isAlarm = name === "alarm";
      const content = isAlarm ? "no alarm" : "12:00";
      return { type: "tool_result" as const, tool_use_id: id, content, is_error: isAlarm };
    });
    messages.push({ role: "user", content: results });
  }
}

const typesOf = (events: readonly { readonly type?: unknown }[]) => events.map(({ type }) => type);

describe("a client of @anthropic-ai/sdk", () => {
  it.each([
    ["answers", false],
    ["streams", true],
  ])("has its loop recorded, with tools, tokens and turns, where it %s", async (_, isStreamed) => {
    const given = (content: typeof CALLS | typeof ANSWER, reason?: string): VendorAnswer =>
      isStreamed ? { events: anthropicEvents(content, reason) } : { json: anthropicMessage(content, reason) };
    const { client, session, ...memory } = await recorded(
      given(CALLS, "tool_use"),
      given(ANSWER),
      given(ANSWER),
    );
    const messages = [...HELLO];
    await loop(client, messages, isStreamed);
    await session.recordTurn();
    messages.push({ role: "user", content: "And now?" });
    await loop(client, messages, isStreamed);
    await session.recordTurn();
    expect(memory.errors).toEqual([]);
    const events = await memory.events();
    expect(typesOf(events)).toEqual([
      ...["turn.start", "llm.start", "thinking", "text", "llm.end", "tool.start", "tool.start"],
      ...["tool.end", "tool.end", "llm.start", "text", "llm.end", "turn.end"],
      ...["turn.start", "llm.start", "text", "llm.end", "turn.end"],
    ]);
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of("turn.start")).toMatchObject([
      { turnIndex: 0, input: "What time is it?" },
      { turnIndex: 1, input: "And now?" },
    ]);
    expect(of("llm.end")[0]).toMatchObject({ model: "claude-opus-4-5", stopReason: "tool_use", usage: USED });
    expect(of("tool.start")).toMatchObject([
      { toolCallId: "call-1", toolName: "clock", input: { zone: "UTC" } },
      { toolCallId: "call-2", toolName: "alarm", input: {} },
    ]);
    expect(of("tool.end")).toMatchObject([
      { toolCallId: "call-1", output: "12:00", isError: false },
      { toolCallId: "call-2", output: "no alarm", isError: true },
    ]);
    expect(of("turn.end")).toMatchObject([{ outcome: "completed" }, { outcome: "completed" }]);
    expect((await memory.messages()).map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "user", "assistant", "user", "assistant"],
    ]);
    expect((await memory.messages())[2]).toMatchObject({ content: CALLS });
    expect(await memory.listed()).toMatchObject({
      turns: 2,
      tokens: 3 * 119,
      errors: 1,
      lastAnswer: "It is noon.",
    });
  });

  it("goes on in a session that another request began", async () => {
    const { client, session, open, given, messages } = await recorded(
      { json: anthropicMessage(ANSWER) },
      { json: anthropicMessage(ANSWER) },
    );
    await client.messages.create({ ...ASKED, messages: HELLO });
    await session.recordTurn();
    const later = await open();
    const conversation: Anthropic.MessageParam[] = [
      ...HELLO,
      { role: "assistant", content: "It is noon." },
      { role: "user", content: "And now?" },
    ];
    await recordAnthropic(given, later).messages.create({ ...ASKED, messages: conversation });
    await later.recordTurn();
    expect((await messages()).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  it("records what a raw stream says, and hands it on as it is", async () => {
    const events = anthropicEvents(CALLS, "tool_use");
    const { client, events: recordedEvents, messages } = await recorded({ events });
    const stream = await client.messages.create({ ...ASKED, messages: HELLO, stream: true });
    const read: object[] = [];
    for await (const event of stream) read.push(event);
    expect(read).toEqual(events.filter((event) => !("type" in event && event.type === "ping")));
    expect((await recordedEvents()).find(({ type }) => type === "llm.end")).toMatchObject({ usage: USED });
    expect((await messages())[1]).toMatchObject({ content: CALLS });
  });

  it("keeps what the SDK's promises can do", async () => {
    const answer = { json: anthropicMessage(ANSWER) };
    const { client, given, events } = await recorded(answer, answer, answer, answer);
    const asked = client.messages.create({ ...ASKED, messages: HELLO });
    expect(asked).toBeInstanceOf(
      Object.getPrototypeOf(given.messages.create({ ...ASKED, messages: HELLO })).constructor,
    );
    expect((await asked)._request_id).toBe("req_1");
    const { data, response } = await client.messages.create({ ...ASKED, messages: HELLO }).withResponse();
    expect([data.content, response.status]).toEqual([ANSWER, 200]);
    const raw = await client.messages.create({ ...ASKED, messages: HELLO }).asResponse();
    expect(await raw.json()).toMatchObject({ content: ANSWER });
    const ends = (await events()).filter(({ type }) => type === "llm.end");
    expect(ends.map(({ usage }) => usage !== undefined)).toEqual([true, true, false]);
    expect(client).toBeInstanceOf(Anthropic);
  });

  it("records one call where the SDK tries again, and the error that it throws in the end", async () => {
    const overloaded = {
      status: 529,
      error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    };
    const { client, session, events, listed } = await recorded(
      overloaded,
      { json: anthropicMessage(ANSWER) },
      overloaded,
      overloaded,
    );
    await client.messages.create({ ...ASKED, messages: HELLO });
    await session.recordTurn();
    const failed = client.messages.create({ ...ASKED, messages: HELLO });
    await expect(failed).rejects.toBeInstanceOf(Anthropic.InternalServerError);
    await session.recordTurn();
    const ends = (await events()).filter(({ type }) => type === "llm.end" || type === "turn.end");
    expect(ends).toMatchObject([
      { stopReason: "end_turn" },
      { outcome: "completed" },
      { error: { message: expect.stringContaining("Overloaded"), type: "OverloadedError" } },
      { outcome: "failed" },
    ]);
    expect(await listed()).toMatchObject({ turns: 2, status: "error" });
  });

  it("records what came of a stream that is aborted, as cancelled", async () => {
    const { client, session, events, messages } = await recorded({
      events: anthropicEvents(ANSWER).slice(0, 4),
      after: "open",
    });
    const stream = client.messages.stream({ ...ASKED, messages: HELLO });
    stream.on("text", () => stream.abort());
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    await session.recordTurn();
    const ends = (await events()).filter(({ type }) => type === "llm.end" || type === "turn.end");
    expect(ends).toMatchObject([
      { outcome: "cancelled", usage: { inputTokens: 10 } },
      { outcome: "cancelled" },
    ]);
    expect((await messages())[1]).toMatchObject({ content: [{ type: "text", text: "It " }] });
  });

  it("tells a signal's abort from a limit of time, a reader that leaves, and a stream that is torn", async () => {
    const begun = anthropicEvents(ANSWER).slice(0, 4);
    const going = { events: begun, after: "open" } as const;
    const { client, session, events } = await recorded(going, going, going, { events: begun, after: "torn" });
    const body = { ...ASKED, messages: HELLO, stream: true } as const;
    const aborting = new AbortController();
    const timing = new AbortController();
    const read = async (controller?: AbortController, reason?: unknown) => {
      for await (const event of await client.messages.create(body, { signal: controller?.signal ?? null })) {
        if (event.type !== "content_block_delta") continue;
        if (controller === undefined) break;
        controller.abort(reason);
      }
    };
    await read(aborting);
    await read(timing, new DOMException("late", "TimeoutError"));
    await read();
    const torn = await client.messages.create(body);
    await expect(async () => {
      for await (const _ of torn);
    }).rejects.toThrow();
    await session.recordTurn();
    const ends = (await events()).filter(({ type }) => type === "llm.end");
    expect(
      ends.map(({ outcome, error }) => outcome ?? (error !== undefined ? "failed" : "completed")),
    ).toEqual([...["cancelled", "failed", "cancelled", "failed"]]);
  });

  it("records that an answer could not be read", async () => {
    const { client, events } = await recorded({ text: '{"id":' });
    await expect(client.messages.create({ ...ASKED, messages: HELLO })).rejects.toThrow("JSON");
    expect((await events()).find(({ type }) => type === "llm.end")).toMatchObject({
      error: { type: "SyntaxError" },
    });
  });

  it("records a call that is aborted before it is answered, and one that fails as a raw response", async () => {
    const overloaded = { status: 529, error: { type: "error", error: { message: "Overloaded" } } };
    const { client, events, vendor } = await recorded({ events: [], after: "open" }, overloaded, overloaded);
    const controller = new AbortController();
    const asked = client.messages.create({ ...ASKED, messages: HELLO }, { signal: controller.signal });
    const ended = expect(asked).rejects.toThrow();
    await vi.waitFor(() => expect(vendor.requests).toHaveLength(1));
    controller.abort();
    await ended;
    const raw = client.messages.create({ ...ASKED, messages: HELLO }).asResponse();
    await expect(raw).rejects.toThrow("Overloaded");
    const ends = (await events()).filter(({ type }) => type === "llm.end");
    expect(ends).toMatchObject([
      { outcome: "cancelled" },
      { error: { message: expect.stringContaining("529") } },
    ]);
  });

  it("leaves the client as it is, and records its copies with other options", async () => {
    const answer = { json: anthropicMessage(ANSWER) };
    const { client, given, events } = await recorded(answer, answer);
    await given.messages.create({ ...ASKED, messages: HELLO });
    expect(await events()).toEqual([]);
    await client.withOptions({ timeout: 1_000 }).beta.messages.create({ ...ASKED, messages: HELLO });
    expect(typesOf(await events())).toContain("llm.end");
  });

  it("fails no call by its recording", async () => {
    const { client, session, errors } = await recorded({
      json: { odd: [null], usage: "none", content: [7] },
    });
    session.startTrace = () => {
      throw new Error("no trace");
    };
    const odd = { ...ASKED, messages: [{ role: "user", content: 1n }] } as never;
    await expect(client.messages.create(odd)).rejects.toThrow("BigInt");
    expect(await client.messages.create({ ...ASKED, messages: HELLO })).toMatchObject({ odd: [null] });
    expect(errors.length).toBeGreaterThan(0);
  });

  it("fails no call by a store that fails, of a recorder without `onError`", async () => {
    const { sessionStore } = createInMemoryInspectorDataSource();
    const session = await new SessionRecorder(sessionStore).open();
    vi.spyOn(sessionStore, "appendTraceEnvelopes").mockRejectedValue(new Error("disk full"));
    const onError = vi.fn();
    const made = { messages: { create: async (_: object) => anthropicMessage(ANSWER) } };
    const answer = await recordAnthropic(made, session, { onError }).messages.create({ messages: HELLO });
    expect(answer).toMatchObject({ content: ANSWER });
    await vi.waitFor(() => expect(onError.mock.calls[0]?.[0]).toBeInstanceOf(RecordingError));
    await session.recordTurn();
  });

  it("records a client of another make, by what it has", async () => {
    const { session, events } = await sessionInMemory();
    const made = { messages: { create: async (_: object) => anthropicMessage(ANSWER), count: () => 7 } };
    const client = recordAnthropic(made, session);
    expect(await client.messages.create({ ...ASKED, messages: HELLO })).toMatchObject({ content: ANSWER });
    expect(client.messages.count()).toBe(7);
    expect(typesOf(await events())).toContain("llm.end");
  });

  it("says what is wrong with what it is given", async () => {
    const { session } = await sessionInMemory();
    const client = new Anthropic({ apiKey: "none" });
    expect(() => recordAnthropic({} as never, session)).toThrow(
      "`client` is not a client: it has no messages",
    );
    expect(() => recordAnthropic(client, {} as never)).toThrow("`session` is not a session");
    expect(() => recordAnthropic(client, session, { onErorr: () => {} } as never)).toThrow(
      "Did you mean 'onError'",
    );
  });
});
