/** `agent-inspector/langchain`: records runs of LangChain and LangGraph. */
export type { FrameworkOptions } from "./adapters/frameworks/framework-adapter.js";
export { InspectorCallbackHandler } from "./adapters/frameworks/langchain.js";
export type { SpanIdentity } from "./recording/run-span.js";
