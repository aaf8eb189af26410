import {
  Agent,
  OpenAIProvider,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
  withTrace,
} from "@openai/agents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { type FrameworkOptions, InspectorTraceProcessor } from "../../src/openai-agents.js";
import { RunRecorder } from "../../src/recording.js";
import { agents, twoTurns } from "../support/agents/openai-agents.js";
import { EXPECTED_SUMMARY, eventsOf, SCENARIO, summaryOf } from "../support/framework-scenario.js";
import { type Api, scriptedOpenAi } from "../support/scripted-openai.js";

beforeAll(() => setTracingDisabled(false));
afterAll(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

const IDENTIFIED = { identify: () => SCENARIO.identity };

async function recorded(work: () => Promise<unknown>, options: FrameworkOptions = IDENTIFIED) {
  const source = createInMemoryInspectorDataSource();
  const errors: unknown[] = [];
  const recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error) });
  const processor = new InspectorTraceProcessor(recorder, options);
  setTraceProcessors([processor]);
  await work();
  await processor.forceFlush();
  return { source, errors, processor };
}

describe("the OpenAI Agents SDK, through its traces", () => {
  it.each<Api>(["responses", "chat"])(
    "is recorded with its turns, calls, tokens, agents and errors, each once, by %s",
    async (api) => {
      const { source, errors } = await recorded(() => twoTurns(api));
      expect(errors).toEqual([]);
      // Spans of the Responses API have the model's input only after its answer.
      const isUntold = api === "responses";
      const conversation = EXPECTED_SUMMARY.conversation.slice(0, isUntold ? -1 : undefined);
      expect(await summaryOf(source, "acme", "s1")).toEqual({ ...EXPECTED_SUMMARY, conversation });
    },
  );

  it("gives calls of tools the ids that the conversation has, by their names and order", async () => {
    const { source } = await recorded(() => twoTurns("responses"));
    const events = await eventsOf(source);
    const begun = events.filter(({ type }) => type === "tool.start");
    const ids = { read_note: "call-read_note", delete_note: "call-delete_note", delegate: "call-delegate" };
    expect(Object.fromEntries(begun.map(({ toolName, toolCallId }) => [toolName, toolCallId]))).toEqual(ids);
    const ended = events.find(({ type, toolName }) => type === "tool.end" && toolName === "read_note");
    expect(ended).toMatchObject({ toolCallId: "call-read_note", input: { id: 1 }, output: SCENARIO.notes });
  });

  it("gives two calls of one tool an id each", async () => {
    const { processor, source } = await recorded(async () => undefined);
    const at = "2026-01-01T00:00:00.000Z";
    const base = { traceId: "t", error: null, startedAt: at, endedAt: at };
    const output = ["c1", "c2"].map((call_id) => ({
      type: "function_call",
      call_id,
      name: "look",
      arguments: "{}",
    }));
    const spans = [
      {
        ...base,
        spanId: "m",
        parentId: "a",
        spanData: { type: "response", _input: [], _response: { output } },
      },
      {
        ...base,
        spanId: "f1",
        parentId: "a",
        spanData: { type: "function", name: "look", input: "", output: "" },
      },
      {
        ...base,
        spanId: "f2",
        parentId: "a",
        spanData: { type: "function", name: "look", input: "", output: "" },
      },
    ];
    const agent = { ...base, spanId: "a", parentId: null, spanData: { type: "agent", name: "helper" } };
    await processor.onSpanStart(agent);
    for (const span of spans) {
      await processor.onSpanStart(span);
      await processor.onSpanEnd(span);
    }
    await processor.onSpanEnd(agent);
    await processor.forceFlush();
    const begun = (await eventsOf(source)).filter(({ type }) => type === "tool.start");
    expect(begun.map(({ toolCallId }) => toolCallId)).toEqual(["c1", "c2"]);
  });

  it("is recorded when it streams", async () => {
    const { source, errors } = await recorded(async () => {
      const modelProvider = new OpenAIProvider({ openAIClient: scriptedOpenAi() });
      const result = await new Runner({ modelProvider }).run(agents(), "Hi", { stream: true });
      await result.completed;
      expect(result.finalOutput).toBe(SCENARIO.answer);
    });
    expect(errors).toEqual([]);
    const { turns, modelCalls, tokens, agents: told } = await summaryOf(source, "acme", "s1");
    expect({ turns, modelCalls, tokens }).toEqual({
      turns: 1,
      modelCalls: 4,
      tokens: EXPECTED_SUMMARY.tokens,
    });
    expect(told).toEqual(EXPECTED_SUMMARY.agents);
  });

  it("is of the session that its group names, also where what is traced throws", async () => {
    const { source, errors } = await recorded(async () => {
      const traced = withTrace(
        "talk",
        async () => {
          await twoTurns("chat");
          throw new Error("no more");
        },
        { groupId: "s1", metadata: { tenantId: "acme", userId: "ada" } },
      );
      await expect(traced).rejects.toThrow("no more");
    }, {});
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toMatchObject({
      turns: 2,
      session: EXPECTED_SUMMARY.session,
    });
  });

  it("keeps agents that hand over to one another in one run and one conversation", async () => {
    const { source, errors } = await recorded(async () => {
      const modelProvider = new OpenAIProvider({ openAIClient: scriptedOpenAi() });
      const second = new Agent({ name: "second", model: "sub-model" });
      const first = new Agent({ name: "first", model: "handing-over", handoffs: [second] });
      await new Runner({ modelProvider }).run(first, "Hi");
    });
    expect(errors).toEqual([]);
    const summary = await summaryOf(source, "acme", "s1");
    expect(summary).toMatchObject({ turns: 1, modelCalls: 2, agents: [], errors: 0 });
    expect(summary.conversation).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("records names and times alone where it may not tell more", async () => {
    const { source, errors } = await recorded(() =>
      twoTurns("responses", { traceIncludeSensitiveData: false }),
    );
    expect(errors).toEqual([]);
    const summary = await summaryOf(source, "acme", "s1");
    expect(summary).toMatchObject({
      turns: 2,
      modelCalls: 5,
      failedTools: ["delete_note"],
      conversation: [],
    });
    const { input, output } = SCENARIO.usage.subAgent;
    expect(summary.tokens).toMatchObject({ inputTokens: input, outputTokens: output });
    expect(JSON.stringify(await eventsOf(source))).not.toContain(SCENARIO.notes);
  });

  it("throws nothing into the agent, whatever it is told", async () => {
    const { processor, errors } = await recorded(async () => undefined);
    const odd = { spanId: "1", traceId: "1", parentId: null, error: null, startedAt: "never", endedAt: null };
    for (const spanData of [null, 1, {}, { type: 1 }, { type: "response", _input: [null], _response: 1 }]) {
      await processor.onSpanStart({ ...odd, spanData: spanData as object });
      await processor.onSpanEnd({ ...odd, spanData: spanData as object });
    }
    expect(errors).toEqual([]);
    await processor.onSpanEnd(undefined as never);
    await processor.shutdown();
    expect(errors).toMatchObject([{ message: "Could not read what the Agents SDK told." }]);
  });
});
