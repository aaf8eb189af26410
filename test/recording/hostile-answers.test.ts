import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { recordAnthropic } from "../../src/anthropic.js";
import { recordOpenAI } from "../../src/openai.js";
import { anthropicEvents, chatChunks } from "../support/model-vendor.js";
import { sessionInMemory } from "../support/recorded-session.js";

type Vendor = "anthropic" | "chat" | "responses";

const messages = [{ role: "user" as const, content: "Hi" }];
const LONG = "x".repeat(1024 * 1024);

function streaming(events: Iterable<object>) {
  return async () => {
    const iterator = events[Symbol.iterator]();
    const body = new ReadableStream({
      pull(controller) {
        const { value, done } = iterator.next();
        if (done === true) return controller.close();
        const type = "type" in value ? `event: ${value.type}\n` : "";
        controller.enqueue(new TextEncoder().encode(`${type}data: ${JSON.stringify(value)}\n\n`));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

async function streamed(vendor: Vendor, events: Iterable<object>, options: object = {}) {
  const memory = await sessionInMemory();
  const settings = { apiKey: "none", maxRetries: 0, fetch: streaming(events) };
  const openAI = recordOpenAI(new OpenAI(settings), memory.session, { onError: memory.onError });
  const anthropic = recordAnthropic(new Anthropic(settings), memory.session, { onError: memory.onError });
  const body = { model: "some", stream: true as const, ...options };
  const stream = await {
    anthropic: () => anthropic.messages.create({ ...body, max_tokens: 9, messages }),
    chat: () => openAI.chat.completions.create({ ...body, messages }),
    responses: () => openAI.responses.create({ ...body, input: "Hi" }),
  }[vendor]();
  let count = 0;
  for await (const _ of stream as AsyncIterable<unknown>) count++;
  const recorded = await memory.events();
  return { count, errors: memory.errors, end: recorded.find(({ type }) => type === "llm.end"), memory };
}

const [start] = anthropicEvents([]);
const blockStart = (index: unknown) => ({
  type: "content_block_start",
  index,
  content_block: { type: "text", text: "" },
});
const textDelta = (index: unknown, text = "Hi") => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text },
});
const choice = (delta: object, index: unknown = 0) => ({
  ...chatChunks([])[0]!,
  choices: [{ index, delta, finish_reason: null }],
});
const toolCall = (index: unknown, text = "{") =>
  choice({ tool_calls: [{ index, id: "c1", function: { name: "a", arguments: text } }] });
const INDEXES = [-1, 1.5, 10_000, 2 ** 31, 2 ** 32 - 2, 1e300, "0", "__proto__", [0], {}];

function* times<T>(count: number, item: (index: number) => T): Generator<T> {
  for (let i = 0; i < count; i++) yield item(i);
}

const deep = (levels: number): object => (levels === 0 ? {} : { more: deep(levels - 1) });

const UNREADABLE: readonly (readonly [Vendor, string, () => Iterable<object>])[] = [
  ...INDEXES.flatMap((index): (readonly [Vendor, string, () => Iterable<object>])[] => [
    ["anthropic", `a block with the index ${JSON.stringify(index)}`, () => [start!, blockStart(index)]],
    ["anthropic", `a delta with the index ${JSON.stringify(index)}`, () => [start!, textDelta(index)]],
    ["chat", `a choice with the index ${JSON.stringify(index)}`, () => [choice({ content: "Hi" }, index)]],
    ["chat", `a tool call with the index ${JSON.stringify(index)}`, () => [toolCall(index)]],
  ]),
  ["anthropic", "a delta for a block that did not start", () => [start!, textDelta(3)]],
  ["anthropic", "blocks out of order", () => [start!, blockStart(1), blockStart(0)]],
  ["anthropic", "a block that starts twice", () => [start!, blockStart(0), blockStart(0)]],
  [
    "anthropic",
    "megabytes of partial JSON",
    () => [
      start!,
      blockStart(0),
      ...times(5, () => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: LONG },
      })),
    ],
  ],
  [
    "anthropic",
    "a block of 17 MB",
    () => [start!, { ...blockStart(0), content_block: { text: LONG.repeat(17) } }],
  ],
  ["chat", "megabytes of arguments", () => times(5, () => toolCall(0, LONG))],
  ["chat", "a delta with 200 levels", () => [choice(deep(200))]],
  [
    "chat",
    "ever more members",
    () => times(11, (i) => choice(Object.fromEntries(times(10_000, (j) => [`m${i}-${j}`, 1])))),
  ],
  [
    "responses",
    "megabytes of text",
    () => times(5, () => ({ type: "response.output_text.delta", delta: LONG })),
  ],
  [
    "responses",
    "megabytes of items",
    () => times(17, () => ({ type: "response.output_item.done", item: { type: "message", text: LONG } })),
  ],
];

describe("a streamed answer that cannot be recorded in full", () => {
  it.each(UNREADABLE)("reaches the reader by %s, and one error states it: %s", async (vendor, _, events) => {
    const bare = [...events()].length;
    const { count, errors, end } = await streamed(vendor, [...events(), ...events()]);
    expect(count).toBe(2 * bare);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("record the rest of a model's answer");
    expect(end).toMatchObject({ attributes: { recordingStopped: expect.any(String) } });
  });

  it("has the part recorded that came before", async () => {
    const events = [
      start!,
      blockStart(0),
      textDelta(0, "Hello"),
      blockStart(2 ** 31),
      textDelta(0, " again"),
    ];
    const { end, memory } = await streamed("anthropic", events);
    expect(end).toMatchObject({ attributes: { recordingStopped: expect.stringContaining("2147483648") } });
    expect((await memory.messages())[1]).toMatchObject({ content: [{ type: "text", text: "Hello" }] });
  });

  it.each<Vendor>(["anthropic", "chat"])(
    "changes no prototype by the names of its members, by %s",
    async (vendor) => {
      const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
      const events =
        vendor === "chat" ? [choice(hostile)] : [start!, { ...blockStart(0), content_block: hostile }];
      const { count } = await streamed(vendor, events);
      expect(count).toBe(events.length);
      expect({}).not.toHaveProperty("polluted");
    },
  );
});

describe("a streamed chat completion without token counts", () => {
  const without = chatChunks([{ content: "Hi" }]).slice(0, -1);

  it("is reported once for a client, in all of its sessions", async () => {
    const client = new OpenAI({ apiKey: "none", fetch: () => streaming(without)() });
    const errors: string[] = [];
    for (let i = 0; i < 2; i++) {
      const memory = await sessionInMemory();
      const options = { onError: ({ message }: Error) => errors.push(message) };
      const recorded = recordOpenAI(client, memory.session, options);
      for (const one of [recorded, recorded.withOptions({ timeout: 1_000 })]) {
        const stream = await one.chat.completions.create({ model: "some", messages, stream: true });
        for await (const _ of stream);
      }
    }
    expect(errors).toEqual([expect.stringContaining("stream_options: { include_usage: true }")]);
  });

  it("is not reported where the vendor counts, the request asks for counts, or the answer is not complete", async () => {
    const counted = await streamed("chat", chatChunks([{ content: "Hi" }]));
    const requested = await streamed("chat", without, { stream_options: { include_usage: true } });
    const incomplete = await streamed("chat", without.slice(0, 2));
    expect([counted, requested, incomplete].map(({ errors }) => errors)).toEqual([[], [], []]);
  });
});
