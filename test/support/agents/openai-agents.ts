import { Agent, type AgentInputItem, OpenAIProvider, type RunConfig, Runner, tool } from "@openai/agents";
import { z } from "zod";
import { SCENARIO, takeTurns } from "../framework-scenario.js";
import { type Api, scriptedOpenAi } from "../scripted-openai.js";

export function agents() {
  const { good, bad, delegate } = SCENARIO.tools;
  const parameters = z.object({ id: z.number() });
  const reviewer = new Agent({ name: SCENARIO.subAgent.name, model: "sub-model" });
  const tools = [
    tool({ name: good, description: "", parameters, execute: async () => SCENARIO.notes }),
    tool({
      name: bad,
      description: "",
      parameters,
      execute: async (): Promise<string> => {
        throw new Error(SCENARIO.toolError);
      },
    }),
    reviewer.asTool({ toolName: delegate, toolDescription: "" }),
  ];
  return new Agent({ name: "helper", instructions: SCENARIO.system, model: "main-model", tools });
}

export async function twoTurns(api: Api, config: Partial<RunConfig> = {}): Promise<void> {
  const modelProvider = new OpenAIProvider({
    openAIClient: scriptedOpenAi(),
    useResponses: api === "responses",
  });
  const runner = new Runner({ modelProvider, ...config });
  const agent = agents();
  const history: AgentInputItem[] = [];
  await takeTurns(async (content) => {
    history.push({ role: "user", content });
    const result = await runner.run(agent, [...history]);
    history.splice(0, history.length, ...result.history);
  });
}
