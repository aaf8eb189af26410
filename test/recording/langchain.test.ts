import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, type BaseMessageLike } from "@langchain/core/messages";
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
import { EXPECTED_SUMMARY, eventsOf, SCENARIO, summaryOf } from "../support/framework-scenario.js";

type Move = keyof typeof SCENARIO.usage;

/** A model that answers by a script. */
class ScriptedModel extends BaseChatModel {
  readonly #answer: (messages: readonly BaseMessage[]) => AIMessage;

  constructor(answer: (messages: readonly BaseMessage[]) => AIMessage) {
    super({ maxRetries: 0 });
    this.#answer = answer;
  }

  override _llmType() {
    return "scripted";
  }

  override bindTools() {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const message = this.#answer(messages);
    return { generations: [{ text: message.text, message }] };
  }
}

function answerOf(move: Move, content: string, ...calls: (readonly [name: string, args: object])[]) {
  const { input, cached, output } = SCENARIO.usage[move];
  const message = new AIMessage({
    content,
    tool_calls: calls.map(([name, args]) => ({ id: `call-${name}`, name, args: { ...args } })),
  });
  const usage_metadata = {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_token_details: { cache_read: cached },
  };
  return Object.assign(message, { usage_metadata });
}

const { good, bad, delegate } = SCENARIO.tools;

/** Answers by how many results of tools it has been given. */
const mainModel = new ScriptedModel((messages) => {
  const of = (type: string) => messages.filter((message) => message.getType() === type).length;
  if (of("human") > 1) throw new Error(SCENARIO.modelError);
  if (of("tool") === 0) return answerOf("toolCalls", "", [good, { id: 1 }], [bad, { id: 1 }]);
  if (of("tool") === 2) return answerOf("delegation", "", [delegate, { task: SCENARIO.subAgent.task }]);
  return answerOf("answer", SCENARIO.answer);
});

const reviewer = createReactAgent({
  llm: new ScriptedModel(() => answerOf("subAgent", SCENARIO.subAgent.answer)),
  tools: [],
  name: SCENARIO.subAgent.name,
});

const schema = z.object({ id: z.number() });
const tools = [
  tool(async () => SCENARIO.notes, { name: good, schema }),
  tool(
    async (): Promise<string> => {
      throw new Error(SCENARIO.toolError);
    },
    { name: bad, schema },
  ),
  tool(
    async ({ task }) => {
      const { messages } = await reviewer.invoke({ messages: [{ role: "user", content: task }] });
      return messages.at(-1)?.text ?? "";
    },
    { name: delegate, schema: z.object({ task: z.string() }) },
  ),
];

const IDENTIFIED = { identify: () => SCENARIO.identity };

/** What a recorder makes of what is done with a handler. */
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

async function twoTurns(handler: InspectorCallbackHandler, config = {}) {
  const agent = createReactAgent({ llm: mainModel, tools, prompt: SCENARIO.system });
  let messages: BaseMessageLike[] = [];
  for (const content of SCENARIO.turns) {
    const turn = agent.invoke(
      { messages: [...messages, { role: "user", content }] },
      { callbacks: [handler], ...config },
    );
    if (content === SCENARIO.turns[1]) await expect(turn).rejects.toThrow(SCENARIO.modelError);
    else ({ messages } = await turn);
  }
}

describe("LangGraph and LangChain, through their callbacks", () => {
  it("is recorded with its turns, calls, tokens, agents and errors, each once", async () => {
    const { source, errors } = await recorded(twoTurns);
    expect(errors).toEqual([]);
    expect(await summaryOf(source, "acme", "s1")).toEqual(EXPECTED_SUMMARY);
  });

  it("is of the session that the thread is, and of the tenant and user of its metadata", async () => {
    const config = { configurable: { thread_id: "s1" }, metadata: { tenantId: "acme", userId: "ada" } };
    const { source, errors } = await recorded((handler) => twoTurns(handler, config), {});
    expect(errors).toEqual([]);
    expect((await summaryOf(source, "acme", "s1")).session).toEqual(EXPECTED_SUMMARY.session);
  });

  it("records nodes of a graph as spans and not what they consist of", async () => {
    const { source } = await recorded(twoTurns);
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
