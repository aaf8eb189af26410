import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { streamText } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { InspectorSpanProcessor } from "../../src/otel.js";
import { RunRecorder } from "../../src/recording.js";
import { resultOf, twoTurns } from "../support/agents/ai-sdk-6.js";
import { EXPECTED_SUMMARY, SCENARIO, summaryOf } from "../support/framework-scenario.js";

const manager = new AsyncLocalStorageContextManager();
beforeAll(() => {
  context.setGlobalContextManager(manager.enable());
});
afterAll(() => context.disable());

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

describe("the AI SDK 6, through OpenTelemetry", () => {
  it("is recorded with its turns, calls, tokens, agents and errors, each once", async () => {
    const { source, errors } = await recorded(twoTurns);
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
    // The text is there before the outer span ends.
    const told = async () => {
      await provider.forceFlush();
      const summary = await summaryOf(source, "acme", "s1");
      expect(summary.turns).toBe(1);
      return summary;
    };
    const summary = await vi.waitFor(told, { timeout: 10_000 });
    expect(errors).toEqual([]);
    expect(summary).toMatchObject({ modelCalls: 1, errors: 0, tokens: { outputTokens: 30 } });
    expect(summary.conversation).toEqual(["user", "assistant"]);
  });
});
