import { generateText, isStepCount, type ModelMessage, tool } from "ai-7";
import { MockLanguageModelV4 } from "ai-7/test";
import { z } from "zod";
import { SCENARIO, takeTurns } from "../framework-scenario.js";

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Move = keyof typeof SCENARIO.usage;
type Settings = Parameters<typeof generateText>[0];
type Tools = readonly (readonly [toolName: string, input: object])[];

export function resultOf(content: Result["content"], move: Move): Result {
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

export const calls = (...tools: Tools): Result["content"] =>
  tools.map(([toolName, input], at) => ({
    type: "tool-call",
    toolCallId: `${toolName}-${at}`,
    toolName,
    input: JSON.stringify(input),
  }));

export const mainModel = new MockLanguageModelV4({
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

export const subModel = new MockLanguageModelV4({
  modelId: "sub-model",
  doGenerate: async () => resultOf([{ type: "text", text: SCENARIO.subAgent.answer }], "subAgent"),
});

export const tools = {
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
      const telemetry = { functionId: SCENARIO.subAgent.name };
      return (await generateText({ model: subModel, prompt: task, telemetry })).text;
    },
  }),
};

export async function twoTurns(settings: Pick<Settings, "runtimeContext" | "telemetry"> = {}): Promise<void> {
  const messages: ModelMessage[] = [];
  await takeTurns(async (content) => {
    messages.push({ role: "user", content });
    const { responseMessages } = await generateText({
      model: mainModel,
      instructions: SCENARIO.system,
      messages: [...messages],
      tools,
      stopWhen: isStepCount(5),
      maxRetries: 0,
      ...settings,
    });
    messages.push(...responseMessages);
  });
}
