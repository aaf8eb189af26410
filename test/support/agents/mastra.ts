import { z } from "zod";
import { SCENARIO, takeTurns } from "../framework-scenario.js";
import { mainModel, subModel } from "./ai-sdk-6.js";

/** The scenario's part of `@mastra/core`, which needs a later Node.js than this project. */
export interface MastraPackage<A extends MastraAgent> {
  readonly Agent: new (settings: object) => A;
  readonly createTool: (settings: object) => unknown;
}

interface MastraAgent {
  generate(messages: readonly object[], options: object): Promise<Generated>;
}
interface Generated {
  readonly text: string;
  readonly error?: Error;
  readonly response: { readonly messages?: readonly object[] };
}

export function agentOf<A extends MastraAgent>({ Agent, createTool }: MastraPackage<A>): A {
  const { good, bad, delegate } = SCENARIO.tools;
  const described = { description: "of the scenario" };
  const inputSchema = z.object({ id: z.number() });
  const { name } = SCENARIO.subAgent;
  const reviewer = new Agent({ id: name, name, instructions: "Review.", model: subModel });
  const tools = {
    [good]: createTool({ ...described, id: good, inputSchema, execute: async () => SCENARIO.notes }),
    [bad]: createTool({
      ...described,
      id: bad,
      inputSchema,
      execute: async () => {
        throw new Error(SCENARIO.toolError);
      },
    }),
    [delegate]: createTool({
      ...described,
      id: delegate,
      inputSchema: z.object({ task: z.string() }),
      execute: async ({ task }: { task: string }, { tracingContext }: { tracingContext: object }) =>
        (await reviewer.generate([{ role: "user", content: task }], { tracingContext })).text,
    }),
  };
  const instructions = SCENARIO.system;
  return new Agent({ id: "helper", name: "helper", instructions, model: mainModel, tools, maxRetries: 0 });
}

export async function twoTurns(agent: MastraAgent, settings: object): Promise<void> {
  const messages: object[] = [];
  await takeTurns(async (content) => {
    messages.push({ role: "user", content });
    const { response, error } = await agent.generate([...messages], { maxSteps: 5, ...settings });
    if (error !== undefined) throw error;
    messages.push(...(response.messages ?? []));
  });
}
