import { createAnthropic } from "@ai-sdk/anthropic";
import type { wrapLanguageModel } from "ai";
import { scriptedModel } from "./scripted-model.js";

/** One that `wrapLanguageModel` accepts. */
export type Model = Parameters<typeof wrapLanguageModel>[0]["model"];

/** The provider's model where the environment has a key, else one that follows a script. */
export function modelFrom(env: NodeJS.ProcessEnv): Model {
  const apiKey = env.ANTHROPIC_API_KEY;
  return apiKey ? createAnthropic({ apiKey })(env.MODEL ?? "claude-haiku-4-5") : scriptedModel();
}
