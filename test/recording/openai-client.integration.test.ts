import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { recordOpenAI } from "../../src/openai.js";
import {
  chatChunks,
  chatCompletion,
  modelVendor,
  openAiResponse,
  outputText,
  type VendorAnswer,
} from "../support/model-vendor.js";
import { sessionInMemory } from "../support/recorded-session.js";

const USED = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 0 };
const CALL = { id: "call-1", type: "function", function: { name: "clock", arguments: '{"zone":"UTC"}' } };
const RESPONSE_CALL = [
  { type: "reasoning", id: "r1", summary: [{ type: "summary_text", text: "I need a clock." }] },
  {
    type: "function_call",
    id: "f1",
    call_id: "call-1",
    name: "clock",
    arguments: '{"zone":"UTC"}',
    status: "completed",
  },
];

async function recorded(...answers: readonly VendorAnswer[]) {
  const vendor = await modelVendor(answers);
  const memory = await sessionInMemory();
  const given = new OpenAI({ apiKey: "none", baseURL: vendor.url, maxRetries: 0 });
  return { ...memory, client: recordOpenAI(given, memory.session, { onError: memory.onError }) };
}

type Recorded = Awaited<ReturnType<typeof recorded>>;

const LOOPS: Readonly<Record<string, (client: OpenAI, prompt: string) => Promise<void>>> = {
  async chat(client, prompt) {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
    for (;;) {
      const completion = await client.chat.completions.create({ model: "gpt-4o", messages });
      const { message } = completion.choices[0]!;
      messages.push(message);
      if (message.tool_calls === undefined) return;
      for (const { id } of message.tool_calls)
        messages.push({ role: "tool", tool_call_id: id, content: "12:00" });
    }
  },
  async "chat, streamed"(client, prompt) {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
    for (;;) {
      const body = { model: "gpt-4o", messages, stream_options: { include_usage: true } };
      const { message } = (await client.chat.completions.stream(body).finalChatCompletion()).choices[0]!;
      messages.push(message);
      if (message.tool_calls === undefined) return;
      for (const { id } of message.tool_calls)
        messages.push({ role: "tool", tool_call_id: id, content: "12:00" });
    }
  },
  async responses(client, prompt) {
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: prompt }];
    for (;;) {
      const { output } = await client.responses.create({ model: "gpt-4o", input });
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
      const calls = output.filter((item) => item.type === "function_call");
      if (calls.length === 0) return;
      for (const { call_id } of calls) input.push({ type: "function_call_output", call_id, output: "12:00" });
    }
  },
  async "responses, streamed, with what the vendor keeps"(client, prompt) {
    let input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: prompt }];
    let previous_response_id = null as string | null;
    for (;;) {
      const asked = client.responses.stream({ model: "gpt-4o", input, previous_response_id });
      const response: OpenAI.Responses.Response = await asked.finalResponse();
      const calls = response.output.filter((item) => item.type === "function_call");
      if (calls.length === 0) return;
      previous_response_id = response.id;
      input = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "12:00" }));
    }
  },
};

const streamed = (response: object): VendorAnswer => ({
  events: [
    {
      type: "response.created",
      sequence_number: 0,
      response: { ...response, status: "in_progress", output: [] },
    },
    { type: "response.completed", sequence_number: 1, response },
  ],
});

const ANSWERS: Readonly<Record<string, readonly VendorAnswer[]>> = {
  chat: [
    { json: chatCompletion({ tool_calls: [CALL] }, "tool_calls") },
    { json: chatCompletion({ content: "It is noon." }) },
  ],
  "chat, streamed": [
    {
      events: chatChunks(
        [
          { tool_calls: [{ index: 0, ...CALL, function: { name: "clock", arguments: "" } }] },
          { tool_calls: [{ index: 0, function: { arguments: '{"zone":' } }] },
          { tool_calls: [{ index: 0, function: { arguments: '"UTC"}' } }] },
        ],
        "tool_calls",
      ),
    },
    { events: chatChunks([{ content: "It is " }, { content: "noon." }]) },
  ],
  responses: [{ json: openAiResponse(RESPONSE_CALL) }, { json: openAiResponse([outputText("It is noon.")]) }],
  "responses, streamed, with what the vendor keeps": [
    streamed(openAiResponse(RESPONSE_CALL)),
    streamed(openAiResponse([outputText("It is noon.")])),
  ],
};

const endsOf = async ({ events }: Recorded) => (await events()).filter(({ type }) => type === "llm.end");

describe("a client of openai", () => {
  it.each(Object.keys(LOOPS))("has its loop recorded, with tools, tokens and the turn: %s", async (api) => {
    const { client, session, ...memory } = await recorded(...ANSWERS[api]!);
    await LOOPS[api]!(client, "What time is it?");
    await session.recordTurn();
    expect(memory.errors).toEqual([]);
    const events = (await memory.events()).filter(({ type }) => type !== "thinking");
    expect(events).toMatchObject([
      { type: "turn.start", input: "What time is it?" },
      { type: "llm.start", model: "gpt-4o" },
      { type: "llm.end", usage: USED },
      { type: "tool.start", toolCallId: "call-1", toolName: "clock", input: { zone: "UTC" } },
      { type: "tool.end", toolCallId: "call-1", output: "12:00", isError: false },
      { type: "llm.start" },
      { type: "text", text: "It is noon." },
      { type: "llm.end", usage: USED },
      { type: "turn.end", outcome: "completed" },
    ]);
    const roles = (await memory.messages()).map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(await memory.listed()).toMatchObject({ turns: 1, tokens: 2 * 115, model: "gpt-4o" });
  });

  it("has its errors recorded, which stay those of the SDK", async () => {
    const failing = await recorded(
      { status: 500, error: { error: { message: "out of order" } } },
      {
        json: openAiResponse([], {
          status: "failed",
          error: { code: "server_error", message: "out of order" },
        }),
      },
      { events: [{ type: "error", sequence_number: 0, code: "server_error", message: "out of order" }] },
    );
    const { client, session } = failing;
    const asked = client.chat.completions.create({
      model: "gpt-4o",
      messages: [{ role: "user", content: "Hi" }],
    });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await client.responses.create({ model: "gpt-4o", input: "Hi" });
    await expect(client.responses.stream({ model: "gpt-4o", input: "Hi" }).finalResponse()).rejects.toThrow();
    await session.recordTurn();
    expect(await endsOf(failing)).toMatchObject([
      { error: { message: "500 out of order", type: "InternalServerError" } },
      { error: { message: "out of order", type: "server_error" } },
      { error: { message: "out of order" } },
    ]);
  });

  it("has what came of streams recorded that are aborted, by chat and by responses", async () => {
    const text = {
      type: "response.output_text.delta",
      item_id: "m1",
      output_index: 0,
      content_index: 0,
      delta: "It is",
    };
    const created = { type: "response.created", response: { ...openAiResponse([]), usage: null } };
    const aborted = await recorded(
      { events: chatChunks([{ content: "It is" }]).slice(0, 2), after: "open" },
      { events: [created, text], after: "open" },
    );
    const { client, session, messages } = aborted;
    const chat = await client.chat.completions.create({
      ...{ model: "gpt-4o", messages: [{ role: "user", content: "Hi" }] },
      stream: true,
    });
    for await (const chunk of chat) if (chunk.choices[0]?.delta.content) chat.controller.abort();
    const response = await client.responses.create({ model: "gpt-4o", input: "Hi", stream: true });
    for await (const event of response) if (event.type === "response.output_text.delta") break;
    await session.recordTurn();
    expect(await endsOf(aborted)).toMatchObject([{ outcome: "cancelled" }, { outcome: "cancelled" }]);
    const answers = (await messages()).filter(({ role }) => role === "assistant");
    expect(JSON.stringify(answers).match(/It is/g)).toHaveLength(2);
  });

  it("parses and answers as the SDK does", async () => {
    const { client, session, events } = await recorded(
      { json: chatCompletion({ content: '{"hour":12}' }) },
      { json: openAiResponse([outputText('{"hour":12}')]) },
    );
    const schema = { type: "object", properties: { hour: { type: "number" } } };
    const completion = await client.chat.completions.parse({
      model: "gpt-4o",
      messages: [{ role: "user", content: "Hi" }],
      response_format: { type: "json_schema", json_schema: { name: "time", schema, strict: true } },
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ hour: 12 });
    const parsed = await client.responses.parse({
      ...{ model: "gpt-4o", input: "Hi" },
      text: { format: { type: "json_schema", name: "time", schema, strict: true } },
    });
    expect(parsed.output_parsed).toEqual({ hour: 12 });
    expect([parsed._request_id, parsed.output_text]).toEqual(["req_1", '{"hour":12}']);
    await session.recordTurn();
    expect((await events()).filter(({ type }) => type === "llm.end")).toHaveLength(2);
  });
});
