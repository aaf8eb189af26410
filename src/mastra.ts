/** `agent-inspector/mastra`: records runs of Mastra. */
export type { FrameworkOptions } from "./adapters/frameworks/framework-adapter.js";
export { InspectorExporter, type MastraTracingEvent } from "./adapters/frameworks/mastra.js";
export type { SpanIdentity } from "./recording/run-span.js";
