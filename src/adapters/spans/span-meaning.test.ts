import { describe, expect, it } from "vitest";
import { CUT_OFF, type JsonObject } from "../../domain/json/json.js";
import { FACTS } from "./fact-spellings.js";
import { KINDS, KINDS_BY_NAME } from "./kind-spellings.js";
import type { RecordedSpan } from "./recorded-span.js";
import { otherAttributes } from "./span-facts.js";
import { spanMeaning } from "./span-meaning.js";
import { USAGES } from "./usage-spellings.js";

function span(attributes: JsonObject, more: Partial<RecordedSpan> = {}): RecordedSpan {
  return {
    traceId: "0a",
    spanId: "01",
    parentSpanId: undefined,
    name: "something",
    startedAt: 1,
    endedAt: 2,
    status: "unset",
    statusMessage: undefined,
    events: [],
    resource: {},
    scope: "",
    ...more,
    attributes,
  };
}

const meaning = (attributes: JsonObject, more?: Partial<RecordedSpan>) => spanMeaning(span(attributes, more));

describe("the kind of a span", () => {
  const cases: readonly (readonly [
    what: string,
    kind: string,
    attributes: JsonObject,
    more?: Partial<RecordedSpan>,
  ])[] = [
    ["a chat of the GenAI conventions", "model", { "gen_ai.operation.name": "chat" }],
    ["an agent of them", "agent", { "gen_ai.operation.name": "invoke_agent" }],
    ["a tool of them", "tool", { "gen_ai.operation.name": "execute_tool" }],
    [
      "an embedding, which is no call",
      "other",
      { "gen_ai.operation.name": "embeddings", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 3 },
    ],
    ["OpenInference's LLM", "model", { "openinference.span.kind": "LLM" }],
    ["OpenInference's chain", "other", { "openinference.span.kind": "CHAIN" }],
    [
      "a step by one convention, an agent by another",
      "agent",
      { "openinference.span.kind": "CHAIN", "gen_ai.operation.name": "invoke_agent" },
    ],
    ["OpenLLMetry's workflow", "agent", { "traceloop.span.kind": "workflow" }],
    ["the AI SDK's request", "model", { "ai.operationId": "ai.streamText.doStream" }],
    ["the AI SDK's run", "agent", { "ai.operationId": "ai.streamText" }],
    ["Claude Code's interaction", "turn", { "span.type": "interaction" }],
    ["Mastra's generation", "model", { "mastra.span.type": "model_generation" }],
    ["LangSmith's tool", "tool", { "langsmith.span.kind": "tool" }],
    ["Langfuse's generation", "model", { "langfuse.observation.type": "generation" }],
    ["an older Pydantic AI's tool", "tool", {}, { scope: "pydantic-ai", name: "running tool: look" }],
    [
      "the kickoff of a crew, which an attribute calls a chain",
      "turn",
      { "openinference.span.kind": "CHAIN" },
      { scope: "openinference.instrumentation.crewai", name: "Crew_1.kickoff" },
    ],
    ["the same name of somebody else", "other", {}, { name: "running tool: look" }],
    ["a model with usage", "model", { "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 3 }],
    ["a model without", "other", { "gen_ai.request.model": "m" }],
    ["a value that is a member of every object", "other", { "openinference.span.kind": "constructor" }],
    ["nothing known", "other", { "http.request.method": "GET" }],
  ];
  for (const [what, kind, attributes, more] of cases)
    it(`is ${kind} for ${what}`, () => expect(meaning(attributes, more).kind).toBe(kind));
});

describe("the tokens of a span", () => {
  const tokens = (attributes: JsonObject) => {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = meaning(attributes).usage!;
    return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens];
  };

  it("are those that no cache served, and those of the cache", () => {
    const usage = {
      "gen_ai.usage.input_tokens": 412,
      "gen_ai.usage.output_tokens": 27,
      "gen_ai.usage.cache_read.input_tokens": 256,
    };
    expect(tokens(usage)).toEqual([156, 27, 256, 0]);
    expect(tokens({ ...usage, "gen_ai.usage.total_tokens": 439 })).toEqual([156, 27, 256, 0]);
  });

  it("are beside the cache where the total says so, or the cache is the larger part", () => {
    const usage = {
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.cache_read_input_tokens": 8,
    };
    expect(tokens({ ...usage, "gen_ai.usage.total_tokens": 23 })).toEqual([10, 5, 8, 0]);
    expect(tokens({ ...usage, "gen_ai.usage.cache_creation_input_tokens": 3 })).toEqual([10, 5, 8, 3]);
    expect(tokens({ input_tokens: 10, output_tokens: 5, cache_read_tokens: 8 })).toEqual([10, 5, 8, 0]);
  });

  it("are those that agree with their own total, where two conventions differ", () => {
    const both = {
      "gen_ai.usage.input_tokens": 29,
      "gen_ai.usage.output_tokens": 311,
      "llm.token_count.prompt": 29,
      "llm.token_count.completion": 206,
      "llm.token_count.total": 235,
      "llm.token_count.completion_details.reasoning": 105,
    };
    expect(meaning(both).usage).toMatchObject({ inputTokens: 29, outputTokens: 206, reasoningTokens: 105 });
  });

  it("are read from digits, and are never negative", () => {
    expect(tokens({ "ai.usage.promptTokens": "654", "ai.usage.completionTokens": -3 })).toEqual([
      654, 0, 0, 0,
    ]);
  });

  it("come with what they cost, where it is told", () => {
    expect(meaning({ "gen_ai.usage.input_tokens": 1, "operation.cost": 0.25 }).usage).toMatchObject({
      cost: 0.25,
    });
  });

  it("are absent where none are told", () => expect(meaning({}).usage).toBeUndefined());
});

describe("the messages of a model call", () => {
  const model = { "gen_ai.operation.name": "chat" };
  const messages = (attributes: JsonObject, more?: Partial<RecordedSpan>) =>
    meaning({ ...model, ...attributes }, more).messages!;
  const hello = { role: "user", parts: [{ type: "text", content: "Hello" }] };

  it("are those of the GenAI conventions, as JSON text or as values, with the system's first", () => {
    const expected = {
      "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: "Be kind." }]),
      "gen_ai.input.messages": [hello],
      "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: [], finish_reason: "stop" }]),
    };
    expect(messages(expected)).toEqual({
      input: [{ role: "system", parts: [{ type: "text", content: "Be kind." }] }, hello],
      output: [{ role: "assistant", parts: [], finish_reason: "stop" }],
    });
  });

  it("are events until 1.36", () => {
    const events = [
      { name: "gen_ai.user.message", at: 1, attributes: { content: "Hello", "gen_ai.system": "openai" } },
      { name: "gen_ai.assistant.message", at: 2, attributes: { body: { tool_calls: [{ id: "t1" }] } } },
      { name: "gen_ai.tool.message", at: 3, attributes: { id: "t1", content: "36" } },
      {
        name: "gen_ai.choice",
        at: 4,
        attributes: { message: '{"content":"It is 36."}', finish_reason: "stop" },
      },
    ];
    expect(messages({}, { events })).toMatchObject({
      input: [
        { role: "user", content: "Hello" },
        { role: "assistant", tool_calls: [{ id: "t1" }] },
        { role: "tool", id: "t1", content: "36" },
      ],
      output: [{ role: "assistant", content: "It is 36.", finish_reason: "stop" }],
    });
  });

  it("are spread over attributes by OpenInference, from 1 and with gaps, with calls and pictures", () => {
    const path = "llm.input_messages";
    const expected = {
      [`${path}.10.message.role`]: "tool",
      [`${path}.10.message.content`]: "36",
      [`${path}.10.message.tool_call_id`]: "t1",
      [`${path}.1.message.role`]: "user",
      [`${path}.1.message.contents.0.message_content.type`]: "text",
      [`${path}.1.message.contents.0.message_content.text`]: "Look",
      [`${path}.1.message.contents.1.message_content.type`]: "image",
      [`${path}.1.message.contents.1.message_content.image.image.url`]: "data:image/png;base64,AA==",
      [`${path}.2.message.role`]: "assistant",
      [`${path}.2.message.tool_calls.0.tool_call.id`]: "t1",
      [`${path}.2.message.tool_calls.0.tool_call.function.name`]: "look",
      [`${path}.2.message.tool_calls.0.tool_call.function.arguments`]: "{}",
    };
    expect(messages(expected).input).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        ],
      },
      {
        role: "assistant",
        tool_calls: [{ type: "function", id: "t1", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", content: "36", tool_call_id: "t1" },
    ]);
  });

  it("are spread over attributes by older OpenLLMetry", () => {
    const expected = {
      "gen_ai.prompt.0.role": "user",
      "gen_ai.prompt.0.content": '[{"type":"text","text":"Hello"}]',
      "gen_ai.completion.0.role": "assistant",
      "gen_ai.completion.0.tool_calls.0.id": "t1",
      "gen_ai.completion.0.tool_calls.0.name": "look",
      "gen_ai.completion.0.tool_calls.0.arguments": "{}",
    };
    expect(messages(expected)).toEqual({
      input: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      output: [
        {
          role: "assistant",
          tool_calls: [{ type: "function", id: "t1", function: { name: "look", arguments: "{}" } }],
        },
      ],
    });
  });

  it("are put together of what the AI SDK says of an answer", () => {
    const expected = {
      "ai.prompt.messages": '[{"role":"user","content":[{"type":"text","text":"15 % of 240?"}]}]',
      "ai.response.text": "I calculate.",
      "ai.response.reasoning": "Easy.",
      "ai.response.toolCalls": '[{"toolCallId":"t1","toolName":"calculator","input":"{\\"a\\":240}"}]',
    };
    expect(messages(expected)).toEqual({
      input: [{ role: "user", content: [{ type: "text", text: "15 % of 240?" }] }],
      output: [
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Easy." },
            { type: "text", text: "I calculate." },
            { type: "tool-call", toolCallId: "t1", toolName: "calculator", input: { a: 240 } },
          ],
        },
      ],
    });
  });

  it("are what came in and went out, where nothing else tells", () => {
    const expected = {
      "input.value": '{"messages":[[{"role":"user","content":"Hi"}]]}',
      "output.value": "Hello.",
    };
    expect(messages(expected)).toEqual({
      input: [{ role: "user", content: "Hi" }],
      output: [{ role: "assistant", content: "Hello." }],
    });
  });

  it("are the prompts of a model that completes texts", () => {
    const prompt = [{ role: "user", content: "Once upon a time" }];
    expect(messages({ "llm.prompts": ["Once upon a time"] }).input).toEqual(prompt);
    expect(messages({ "input.value": '{"prompts":["Once upon a time"]}' }).input).toEqual(prompt);
  });

  it("keep the words of a text that an exporter has cut", () => {
    expect(messages({ "gen_ai.input.messages": '[{"role":"user","par' }).input).toEqual([
      { role: "user", content: '[{"role":"user","par' },
    ]);
  });

  it("are none where the content is not recorded", () =>
    expect(messages({})).toEqual({ input: [], output: [] }));
});

describe("what a tool was given and gave", () => {
  it("is read from JSON, also where that stands in a JSON text", () => {
    const tool = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
      "gen_ai.tool.call.id": "t1",
      "gen_ai.tool.call.arguments": '{"path":"a.ts"}',
      "traceloop.entity.output": JSON.stringify(JSON.stringify({ text: "b" })),
    };
    expect(meaning(tool)).toMatchObject({
      kind: "tool",
      name: "look",
      toolCallId: "t1",
      input: { path: "a.ts" },
      output: { text: "b" },
    });
  });

  it("is a text where it is none", () => {
    const tool = {
      "openinference.span.kind": "TOOL",
      "input.value": "{'path': 'a.ts'}",
      "output.value": "12",
    };
    expect(meaning(tool)).toMatchObject({ input: "{'path': 'a.ts'}", output: "12" });
  });
});

describe("what a crew was given", () => {
  const tasks = [{ description: "Draw a map.", expected_output: "A map" }, { description: "Fold it." }];
  const kickoff = (expected: unknown) =>
    span(
      { "openinference.span.kind": "CHAIN", crew_tasks: expected },
      { scope: "openinference.instrumentation.crewai", name: "Crew_1.kickoff" },
    );

  it("is what its tasks say, beside all else that is told of them", () => {
    const expected = JSON.stringify(tasks);
    expect(spanMeaning(kickoff(expected)).input).toBe("Draw a map.\n\nFold it.");
    expect(otherAttributes(kickoff(expected), "turn")).toMatchObject({ crew_tasks: expected });
  });

  it("is nothing where they are not described", () => {
    for (const expected of ["[{}]", "[1]", "{}", "Draw", 7])
      expect(spanMeaning(kickoff(expected)).input).toBeUndefined();
  });
});

describe("the failure of a span", () => {
  const exception = {
    name: "exception",
    at: 1,
    attributes: { "exception.type": "Timeout", "exception.message": "too late" },
  };

  it("is its status, its exception, its type, or the answer of a server", () => {
    expect(meaning({}, { status: "error", statusMessage: "no such model" }).error).toEqual({
      message: "no such model",
    });
    expect(meaning({}, { status: "error", events: [exception] }).error).toEqual({
      type: "Timeout",
      message: "too late",
    });
    expect(meaning({ "error.type": "429" }).error).toEqual({ type: "429", message: "429" });
    expect(meaning({ "http.response.status_code": 503 }, { status: "error" }).error).toEqual({
      message: "HTTP 503",
    });
    expect(meaning({}, { status: "error" }).error).toEqual({ message: "failed" });
  });

  it("is none where an exception was caught", () => {
    expect(meaning({}, { status: "ok", events: [exception] }).error).toBeUndefined();
  });
});

describe("whose a span is", () => {
  it("is told by the span, by its metadata, else by its process", () => {
    expect(
      meaning({ "session.id": "s" }, { resource: { "session.id": "r", "service.name": "shop" } }),
    ).toMatchObject({ sessionId: "s", tenantId: "shop" });
    expect(meaning({ metadata: '{"thread_id":"t"}', "user.id": "ada" })).toMatchObject({
      sessionId: "t",
      userId: "ada",
    });
    expect(meaning({}, { resource: { "session.id": "r" } }).sessionId).toBe("r");
    expect(meaning({ metadata: "{" })).not.toHaveProperty("sessionId");
  });
});

describe("what a span says", () => {
  it("is cut off where JSON in it is nested too deep", () => {
    const deep = `${"[".repeat(10_000)}1${"]".repeat(10_000)}`;
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": deep,
      "llm.prompts": deep,
    };
    expect(JSON.stringify(meaning(attributes).messages)).toContain(CUT_OFF);
    const call = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.arguments": deep };
    expect(JSON.stringify(meaning(call).input)).toContain(CUT_OFF);
  });

  it.each(["gen_ai.prompt", "llm.input_messages.0.message.contents"])(
    "is cut off where a path of indexes is too long: %s",
    (name) => {
      const attributes = { "gen_ai.operation.name": "chat", [name + ".0".repeat(10_000)]: "inmost" };
      expect(JSON.stringify(meaning(attributes).messages)).toContain(CUT_OFF);
    },
  );

  it("is as many messages as an event tells of", () => {
    const messages = `[${'{"role":"user"},'.repeat(200_000)}{"role":"user"}]`;
    const expected = { "gen_ai.input.messages": messages, "gen_ai.output.messages": messages };
    const event = { name: "gen_ai.client.inference.operation.details", at: 1, attributes: expected };
    const read = meaning({ "gen_ai.operation.name": "chat" }, { events: [event] }).messages!;
    expect([read.input.length, read.output.length]).toEqual([200_001, 200_001]);
  });
});

describe("the table of conventions", () => {
  it("says of each row where it is written down", () => {
    const facts = Object.values(FACTS)
      .flat()
      .map(([, source]) => source);
    const sources = [...facts, ...[...KINDS, ...KINDS_BY_NAME, ...USAGES].map(({ source }) => source)];
    for (const source of sources) expect(new URL(source).protocol).toBe("https:");
  });

  it("names each spelling of a fact once", () => {
    for (const rows of Object.values(FACTS)) {
      const names = rows.map(([name]) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
