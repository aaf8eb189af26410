/** `agent-inspector/openai-agents`: records runs of the OpenAI Agents SDK. */
export type { FrameworkOptions } from "./adapters/frameworks/framework-adapter.js";
export {
  type AgentsSpan,
  type AgentsTrace,
  InspectorTraceProcessor,
} from "./adapters/frameworks/openai-agents.js";
export type { SpanIdentity } from "./recording/run-span.js";
