import { generateText, type ModelMessage, stepCountIs, type TelemetrySettings, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";
import { SCENARIO, takeTurns } from "../framework-scenario.js";

type Result = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Move = keyof typeof SCENARIO.usage;
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

const calls = (...tools: Tools): Result["content"] =>
  tools.map(([toolName, input], at) => ({
    type: "tool-call",
    toolCallId: `${toolName}-${at}`,
    toolName,
    input: JSON.stringify(input),
  }));

export const mainModel = new MockLanguageModelV3({
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

export const subModel = new MockLanguageModelV3({
  modelId: "sub-model",
  doGenerate: async () => resultOf([{ type: "text", text: SCENARIO.subAgent.answer }], "subAgent"),
});

const toolsWith = (telemetry: TelemetrySettings) => ({
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
      const experimental_telemetry = { ...telemetry, functionId: SCENARIO.subAgent.name };
      return (await generateText({ model: subModel, prompt: task, experimental_telemetry })).text;
    },
  }),
});

export async function twoTurns(telemetry: TelemetrySettings): Promise<void> {
  const messages: ModelMessage[] = [];
  await takeTurns(async (content) => {
    messages.push({ role: "user", content });
    const { response } = await generateText({
      model: mainModel,
      system: SCENARIO.system,
      messages: [...messages],
      tools: toolsWith(telemetry),
      stopWhen: stepCountIs(5),
      maxRetries: 0,
      experimental_telemetry: telemetry,
    });
    messages.push(...response.messages);
  });
}
