import type { Callbacks } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, type BaseMessageLike } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import "@langchain/langgraph"; // passes callbacks on to calls inside of a tool
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { SCENARIO, takeTurns } from "../framework-scenario.js";

type Move = keyof typeof SCENARIO.usage;

export class ScriptedModel extends BaseChatModel {
  readonly #answer: (messages: readonly BaseMessage[]) => AIMessage;
  readonly #name: string;

  constructor(answer: (messages: readonly BaseMessage[]) => AIMessage, name = "main-model") {
    super({ maxRetries: 0 });
    this.#answer = answer;
    this.#name = name;
  }

  override getLsParams(options: this["ParsedCallOptions"]) {
    return { ...super.getLsParams(options), ls_model_name: this.#name };
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

export function answerOf(move: Move, content: string, ...calls: (readonly [name: string, args: object])[]) {
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

const mainModel = new ScriptedModel((messages) => {
  const of = (type: string) => messages.filter((message) => message.getType() === type).length;
  if (of("human") > 1) throw new Error(SCENARIO.modelError);
  if (of("tool") === 0) return answerOf("toolCalls", "", [good, { id: 1 }], [bad, { id: 1 }]);
  if (of("tool") === 2) return answerOf("delegation", "", [delegate, { task: SCENARIO.subAgent.task }]);
  return answerOf("answer", SCENARIO.answer);
});

const reviewer = createReactAgent({
  llm: new ScriptedModel(() => answerOf("subAgent", SCENARIO.subAgent.answer), "sub-model"),
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

export const graph = createReactAgent({ llm: mainModel, tools, prompt: SCENARIO.system });

export async function twoTurns(config: { readonly callbacks: Callbacks }): Promise<void> {
  let messages: BaseMessageLike[] = [];
  await takeTurns(async (content) => {
    ({ messages } = await graph.invoke({ messages: [...messages, { role: "user", content }] }, config));
  });
}
