import { embed, generateObject, generateText, isStepCount, registerTelemetry, streamText, tool } from "ai-7";
import { MockEmbeddingModelV4, MockLanguageModelV4, simulateReadableStream } from "ai-7/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { type FrameworkOptions, inspectorTelemetry } from "../../src/ai-sdk.js";
import { RunRecorder } from "../../src/recording.js";
import { calls, mainModel, resultOf, subModel, tools, twoTurns } from "../support/agents/ai-sdk-7.js";
import { EXPECTED_SUMMARY, eventsOf, SCENARIO, summaryOf } from "../support/framework-scenario.js";

async function recorded(work: () => Promise<unknown>, options: FrameworkOptions = IDENTIFIED) {
  const source = createInMemoryInspectorDataSource();
  const errors: unknown[] = [];
  const recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error) });
  const before = globalThis.AI_SDK_TELEMETRY_INTEGRATIONS;
  registerTelemetry(inspectorTelemetry(recorder, options));
  try {
    await work();
  } finally {
    globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = before;
  }
  await recorder.flush();
  return { source, errors, recorder };
}

const IDENTIFIED = { identify: () => SCENARIO.identity };

const textStream = (text: string, move: keyof typeof SCENARIO.usage) =>
  simulateReadableStream({
    chunks: [
      { type: "text-start" as const, id: "1" },
      { type: "text-delta" as const, id: "1", delta: text },
      { type: "text-end" as const, id: "1" },
      { type: "finish" as const, ...resultOf([], move) },
    ],
  });

describe("the AI SDK 7, through its telemetry", () => {
  it("is recorded with its turns, calls, tokens, agents and errors, each once", async () => {
    const { source, errors } = await recorded(() => twoTurns());
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toEqual(EXPECTED_SUMMARY);
    const roles = (await source.loadMessages("acme", "s1")).map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user"]);
  });

  it("is recorded when it streams, with a sub-agent that streams", async () => {
    const { good } = SCENARIO.tools;
    const sub = new MockLanguageModelV4({
      doStream: async () => ({ stream: textStream("Fine", "subAgent") }),
    });
    const main = new MockLanguageModelV4({
      doStream: async ({ prompt }) => {
        if (prompt.some(({ role }) => role === "tool")) return { stream: textStream("Hello", "answer") };
        const [call] = calls([good, { id: 1 }]);
        return {
          stream: simulateReadableStream({
            chunks: [call as never, { type: "finish", ...resultOf([call!], "toolCalls") }],
          }),
        };
      },
    });
    const ask = tool({
      inputSchema: z.object({ id: z.number() }),
      execute: async () =>
        streamText({ model: sub, prompt: "Look", telemetry: { functionId: "reviewer" } }).text,
    });
    const { source, errors } = await recorded(async () => {
      const result = streamText({
        model: main,
        prompt: "Hi",
        tools: { [good]: ask },
        stopWhen: isStepCount(5),
      });
      await result.consumeStream();
      expect(await result.text).toBe("Hello");
    });
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toMatchObject({
      turns: 1,
      modelCalls: 3,
      agents: [{ displayName: "reviewer", outcome: "completed", toolName: good }],
      errors: 0,
      tokens: { outputTokens: 60 },
      conversation: ["user", "assistant", "tool", "assistant"],
    });
  });

  it("ends what a stream that is broken off leaves open", async () => {
    const model = new MockLanguageModelV4({
      doStream: async () => ({
        stream: new ReadableStream({
          start: (controller) => controller.enqueue({ type: "text-start", id: "1" }),
        }),
      }),
    });
    const { source, errors } = await recorded(async () => {
      const abort = new AbortController();
      const { stream } = streamText({ model, prompt: "Hi", abortSignal: abort.signal });
      for await (const { type } of stream) if (type === "text-start") abort.abort();
    });
    expect(errors).toEqual([]);
    const summary = await summaryOf(source, "acme", "s1");
    expect(summary).toMatchObject({ session: { status: "idle" }, turns: 1, modelCalls: 1 });
  });

  it("takes whose a run is from its runtime context, where that is included", async () => {
    const { source } = await recorded(async () => {
      await generateText({
        model: subModel,
        prompt: "Hi",
        runtimeContext: { ...SCENARIO.identity, secret: "no" },
        telemetry: { includeRuntimeContext: { tenantId: true, sessionId: true, userId: true } },
      });
    }, {});
    const { session } = await summaryOf(source, "acme", "s1");
    expect(session).toMatchObject({ ...SCENARIO.identity, title: "Hi" });
  });

  it("records objects as turns, and embeddings within them as spans with their tokens", async () => {
    const object = new MockLanguageModelV4({
      doGenerate: async () => resultOf([{ type: "text", text: '{"a":1}' }], "answer"),
    });
    const embedding = new MockEmbeddingModelV4({
      doEmbed: async () => ({ embeddings: [[0]], usage: { tokens: 7 }, warnings: [] }),
    });
    const { source, errors } = await recorded(async () => {
      await generateObject({ model: object, prompt: "Hi", schema: z.object({ a: z.number() }) });
      await generateText({
        model: mainModel,
        prompt: "Look",
        tools: {
          ...tools,
          [SCENARIO.tools.good]: tool({
            inputSchema: z.object({ id: z.number() }),
            execute: async () => (await embed({ model: embedding, value: "water" })).usage.tokens,
          }),
        },
      });
    });
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toMatchObject({
      turns: 2,
      modelCalls: 2,
      tokens: { inputTokens: 50 + 40 + 7, cacheReadTokens: 210 },
    });
  });

  it("records names, times and tokens alone where it may not record more", async () => {
    const { source, errors } = await recorded(async () => {
      const telemetry = { recordInputs: false, recordOutputs: false };
      await generateText({ model: mainModel, prompt: "secret", tools, telemetry });
    });
    expect(errors).toEqual([]);
    const summary = await summaryOf(source, "acme", "s1");
    expect(summary).toMatchObject({
      turns: 1,
      modelCalls: 1,
      failedTools: ["delete_note"],
      conversation: [],
    });
    expect(JSON.stringify([...(await source.loadMessages("acme", "s1")), summary])).not.toContain("secret");
  });

  it("records what JSON has no form for as well as it can", async () => {
    const result: Record<string, unknown> = {
      big: 1n,
      bytes: new Uint8Array([1, 2]),
      at: new Date(0),
      no: () => 1,
    };
    result.self = result;
    const odd = tool({
      inputSchema: z.object({ id: z.number() }),
      execute: async () => result,
      toModelOutput: () => ({ type: "text", value: "odd" }),
    });
    const { source, errors } = await recorded(() =>
      generateText({ model: mainModel, prompt: "Hi", tools: { ...tools, [SCENARIO.tools.good]: odd } }),
    );
    expect(errors).toEqual([]);
    const ended = (await eventsOf(source)).find(
      ({ type, toolName }) => type === "tool.end" && toolName === "read_note",
    );
    expect(ended?.output).toEqual({ big: "1", bytes: "AQI=", at: "1970-01-01T00:00:00.000Z" });
  });

  it("throws nothing into the agent, whatever it is told and whoever is asked", async () => {
    const identify = () => {
      throw new Error("who?");
    };
    const { errors, recorder } = await recorded(() => generateText({ model: subModel, prompt: "Hi" }), {
      identify,
    });
    expect(errors).toMatchObject([{ message: "Could not identify a run." }]);
    for (const method of methodsOf(inspectorTelemetry(recorder))) {
      for (const odd of [
        undefined,
        null,
        1,
        [],
        {},
        { callId: 1 },
        { callId: "x", toolCall: null, usage: 1, content: [null] },
      ])
        expect(() => method(odd)).not.toThrow();
    }
    await recorder.close();
    expect(errors).toHaveLength(1);
  });
});

function methodsOf(object: object): ((told: unknown) => unknown)[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) =>
    name.startsWith("on"),
  );
  expect(names.length).toBeGreaterThan(3);
  return names.map((name) => (told) => (object as Record<string, (told: unknown) => unknown>)[name]?.(told));
}
