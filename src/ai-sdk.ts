/** `agent-inspector/ai-sdk`: records calls of the AI SDK 7. */
export { type InspectorTelemetry, inspectorTelemetry } from "./adapters/frameworks/ai-sdk.js";
export type { FrameworkOptions } from "./adapters/frameworks/framework-adapter.js";
export type { SpanIdentity } from "./recording/run-span.js";
