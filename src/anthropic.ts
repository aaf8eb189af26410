/** `agent-inspector/anthropic`: records what a client of `@anthropic-ai/sdk` is used for. */
export { type AnthropicClient, recordAnthropic } from "./adapters/frameworks/anthropic.js";
export type { RecordClientOptions } from "./adapters/frameworks/sdk-client.js";
