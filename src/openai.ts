/** `agent-inspector/openai`: records the calls of a client of `openai`. */
export { type OpenAIClient, recordOpenAI } from "./adapters/frameworks/openai.js";
export type { RecordClientOptions } from "./adapters/frameworks/sdk-client.js";
