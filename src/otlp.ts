/** `agent-inspector/otlp`: spans in files, as the OpenTelemetry Collector and frameworks write them. */
export { createOtlpDataSource, type OtlpDataSourceOptions } from "./composition/otlp-data-source.js";
