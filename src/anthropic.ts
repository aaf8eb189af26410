/** `agent-inspector/anthropic`: records the calls of a client of `@anthropic-ai/sdk`. */
export { type AnthropicClient, recordAnthropic } from "./adapters/frameworks/anthropic.js";
export type { RecordClientOptions } from "./adapters/frameworks/sdk-client.js";
