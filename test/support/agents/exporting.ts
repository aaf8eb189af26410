// The scenario by the AI SDK 6; environment variables set the target of its spans.
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { SCENARIO } from "../framework-scenario.js";
import { twoTurns } from "./ai-sdk-6.js";

const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
await twoTurns({ isEnabled: true, metadata: SCENARIO.identity });
await provider.shutdown();
