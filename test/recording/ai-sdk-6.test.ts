import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { InspectorSpanProcessor } from "../../src/otel.js";
import { RunRecorder } from "../../src/recording.js";
import { EXPECTED_SUMMARY, SCENARIO, summaryOf } from "../support/framework-scenario.js";

type Result = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Move = keyof typeof SCENARIO.usage;
type Tools = readonly (readonly [toolName: string, input: object])[];

const manager = new AsyncLocalStorageContextManager();
beforeAll(() => {
  context.setGlobalContextManager(manager.enable());
});
afterAll(() => context.disable());

/** What a recorder on a tracer of its own makes of what is done with them. */
async function recorded(
  work: (telemetry: {
    isEnabled: true;
    tracer: ReturnType<BasicTracerProvider["getTracer"]>;
    metadata: Record<string, string>;
  }) => Promise<unknown>,
) {
  const source = createInMemoryInspectorDataSource();
  const errors: unknown[] = [];
  const recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error) });
  const identify = () => SCENARIO.identity;
  const processor = new InspectorSpanProcessor(recorder, { identify });
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  await work({ isEnabled: true, tracer: provider.getTracer("ai"), metadata: {} });
  await provider.forceFlush();
  return { source, errors, provider };
}

function resultOf(content: Result["content"], move: Move): Result {
  const { input, cached, output } = SCENARIO.usage[move];
  const isCall = content.some(({ type }) => type === "tool-call");
  return {
    content,
    finishReason: isCall ? { unified: "tool-calls", raw: "tool_use" } : { unified: "stop", raw: "end_turn" },
    usage: {
      inputTokens: { total: input, noCache: input - cached, cacheRead: cached, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
    warnings: [],
  };
}

const calls = (...tools: Tools): Result["content"] =>
  tools.map(([toolName, input], at) => ({
    type: "tool-call",
    toolCallId: `${toolName}-${at}`,
    toolName,
    input: JSON.stringify(input),
  }));

/** Answers by how many results of tools it has been given. */
const mainModel = new MockLanguageModelV3({
  modelId: "main-model",
  doGenerate: async ({ prompt }) => {
    const asked = prompt.filter(({ role }) => role === "user").length;
    if (asked > 1) throw new Error(SCENARIO.modelError);
    const results = prompt.filter(({ role }) => role === "tool").length;
    const { good, bad, delegate } = SCENARIO.tools;
    if (results === 0) return resultOf(calls([good, { id: 1 }], [bad, { id: 1 }]), "toolCalls");
    if (results === 1) return resultOf(calls([delegate, { task: SCENARIO.subAgent.task }]), "delegation");
    return resultOf([{ type: "text", text: SCENARIO.answer }], "answer");
  },
});

const subModel = new MockLanguageModelV3({
  modelId: "sub-model",
  doGenerate: async () => resultOf([{ type: "text", text: SCENARIO.subAgent.answer }], "subAgent"),
});

describe("the AI SDK 6, through OpenTelemetry", () => {
  it("is recorded with its turns, calls, tokens, agents and errors, each once", async () => {
    const { source, errors } = await recorded(async (telemetry) => {
      const tools = {
        [SCENARIO.tools.good]: tool({
          inputSchema: z.object({ id: z.number() }),
          execute: async () => SCENARIO.notes,
        }),
        [SCENARIO.tools.bad]: tool({
          inputSchema: z.object({ id: z.number() }),
          execute: async (): Promise<string> => {
            throw new Error(SCENARIO.toolError);
          },
        }),
        [SCENARIO.tools.delegate]: tool({
          inputSchema: z.object({ task: z.string() }),
          execute: async ({ task }) => {
            const functionId = SCENARIO.subAgent.name;
            const experimental_telemetry = { ...telemetry, functionId };
            const { text } = await generateText({ model: subModel, prompt: task, experimental_telemetry });
            return text;
          },
        }),
      };
      const messages: ModelMessage[] = [];
      for (const content of SCENARIO.turns) {
        messages.push({ role: "user", content });
        const turn = generateText({
          model: mainModel,
          system: SCENARIO.system,
          messages: [...messages],
          tools,
          stopWhen: stepCountIs(5),
          maxRetries: 0,
          experimental_telemetry: telemetry,
        });
        if (content === SCENARIO.turns[1]) await expect(turn).rejects.toThrow(SCENARIO.modelError);
        else messages.push(...(await turn).response.messages);
      }
    });
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toEqual(EXPECTED_SUMMARY);
    const roles = (await source.loadMessages("acme", "s1")).map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user"]);
  });

  it("is recorded when it streams", async () => {
    const model = new MockLanguageModelV3({
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta: "Hel" },
            { type: "text-delta", id: "1", delta: "lo" },
            { type: "text-end", id: "1" },
            { type: "finish", ...resultOf([], "answer") },
          ],
        }),
      }),
    });
    const { source, errors, provider } = await recorded(async (telemetry) => {
      const { text } = streamText({ model, prompt: "Hi", experimental_telemetry: telemetry });
      expect(await text).toBe("Hello");
    });
    // The text is there before the span of the whole ends.
    const summary = await vi.waitFor(async () => {
      await provider.forceFlush();
      const told = await summaryOf(source, "acme", "s1");
      expect(told.turns).toBe(1);
      return told;
    });
    expect(errors).toEqual([]);
    expect(summary).toMatchObject({ modelCalls: 1, errors: 0, tokens: { outputTokens: 30 } });
    expect(summary.conversation).toEqual(["user", "assistant"]);
  });
});
