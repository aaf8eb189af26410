/** `agent-inspector/langchain`: records what LangChain and LangGraph do. */
export type { FrameworkOptions } from "./adapters/frameworks/framework-adapter.js";
export { InspectorCallbackHandler } from "./adapters/frameworks/langchain.js";
export type { SpanIdentity } from "./recording/run-span.js";
