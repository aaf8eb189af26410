import { ChatPromptTemplate } from "@langchain/core/prompts";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { interrupt, MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { type FrameworkOptions, InspectorCallbackHandler } from "../../src/langchain.js";
import { RunRecorder } from "../../src/recording.js";
import { answerOf, ScriptedModel, twoTurns } from "../support/agents/langgraph.js";
import { EXPECTED_SUMMARY, eventsOf, SCENARIO, summaryOf } from "../support/framework-scenario.js";

const { good } = SCENARIO.tools;
const schema = z.object({ id: z.number() });

const IDENTIFIED = { identify: () => SCENARIO.identity };

async function recorded(
  work: (handler: InspectorCallbackHandler) => Promise<unknown>,
  options: FrameworkOptions = IDENTIFIED,
) {
  const source = createInMemoryInspectorDataSource();
  const errors: unknown[] = [];
  const recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error) });
  const handler = new InspectorCallbackHandler(recorder, options);
  await work(handler);
  await recorder.flush();
  return { source, errors, handler, recorder };
}

describe("LangGraph and LangChain, through their callbacks", () => {
  it("is recorded with its turns, calls, tokens, agents and errors, each once", async () => {
    const { source, errors } = await recorded((handler) => twoTurns({ callbacks: [handler] }));
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toEqual(EXPECTED_SUMMARY);
  });

  it("is of the session that the thread is, and of the tenant and user of its metadata", async () => {
    const config = { configurable: { thread_id: "s1" }, metadata: { tenantId: "acme", userId: "ada" } };
    const { source, errors } = await recorded((handler) => twoTurns({ callbacks: [handler], ...config }), {});
    expect(errors).toEqual([]);
    expect((await summaryOf(source, "acme", "s1")).session).toEqual(EXPECTED_SUMMARY.session);
  });

  it("records nodes of a graph as spans and not what they consist of", async () => {
    const { source } = await recorded((handler) => twoTurns({ callbacks: [handler] }));
    const spans = (await eventsOf(source)).filter(({ type }) => type === "span");
    expect([...new Set(spans.map(({ name }) => name))].sort()).toEqual(["agent", "tools"]);
    const ended = (await eventsOf(source)).find(
      ({ type, toolName }) => type === "tool.end" && toolName === good,
    );
    expect(ended).toMatchObject({ toolCallId: `call-${good}`, output: SCENARIO.notes });
  });

  it("takes no interrupt for a failure", async () => {
    const ask = tool(async () => String(interrupt("May I?")), { name: good, schema });
    const llm = new ScriptedModel(() => answerOf("toolCalls", "", [good, { id: 1 }]));
    const { source, errors } = await recorded(async (handler) => {
      const agent = createReactAgent({ llm, tools: [ask], checkpointer: new MemorySaver() });
      const config = { callbacks: [handler], configurable: { thread_id: "s1" } };
      await agent.invoke({ messages: [{ role: "user", content: "Hi" }] }, config);
    });
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toMatchObject({ errors: 0, failedTools: [], turns: 1 });
  });

  it("records a chain without a graph as a turn, also when it streams", async () => {
    const { source, errors } = await recorded(async (handler) => {
      const prompt = ChatPromptTemplate.fromMessages([
        ["system", "Be brief."],
        ["human", "{question}"],
      ]);
      const chain = prompt.pipe(new FakeListChatModel({ responses: ["Fine"] }));
      const stream = await chain.stream({ question: "How are you?" }, { callbacks: [handler] });
      for await (const _ of stream);
    });
    expect(errors).toEqual([]);
    const summary = await summaryOf(source, "acme", "s1");
    expect(summary).toMatchObject({ turns: 1, modelCalls: 1, session: { title: "How are you?" } });
    expect(summary.conversation).toEqual(["system", "user", "assistant"]);
  });

  it("throws nothing into the agent, whatever it is told", async () => {
    const { handler, recorder, errors } = await recorded(async () => undefined);
    const untyped = handler as unknown as Record<string, (...told: unknown[]) => unknown>;
    let id = 0;
    for (const what of ["Chain", "LLM", "Tool", "Retriever"]) {
      for (const odd of [undefined, null, 1, [null], { generations: [[null]], messages: [null] }]) {
        for (const how of ["End", "Error"]) {
          const runId = `run-${id++}`;
          untyped[`handle${what}Start`]?.(odd, odd, runId, undefined, odd, odd);
          untyped[`handle${what}${how}`]?.(odd, runId);
        }
      }
    }
    untyped.handleChatModelStart?.({}, undefined, "x");
    await recorder.close();
    expect(errors).toEqual([]);
    untyped.handleToolEnd?.({}, "unknown");
    expect(errors).toHaveLength(1);
  });
});
