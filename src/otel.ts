/** `agent-inspector/otel`: records what reaches OpenTelemetry's SDK. */
export {
  InspectorSpanProcessor,
  type InspectorSpanProcessorOptions,
} from "./adapters/otel/inspector-span-processor.js";
export type { SpanIdentity } from "./recording/run-span.js";
