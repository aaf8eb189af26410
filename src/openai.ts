/** `agent-inspector/openai`: records what a client of `openai` is used for. */
export { type OpenAIClient, recordOpenAI } from "./adapters/frameworks/openai.js";
export type { RecordClientOptions } from "./adapters/frameworks/sdk-client.js";
