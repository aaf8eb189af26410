export const GEN_AI =
  "https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/registry/attributes/gen-ai.md";
export const GEN_AI_1_36 = "https://github.com/open-telemetry/semantic-conventions/tree/v1.36.0/docs/gen-ai";
export const OPENINFERENCE =
  "https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html";
export const CREWAI =
  "https://github.com/Arize-ai/openinference/tree/main/python/instrumentation/openinference-instrumentation-crewai";
export const OPENLLMETRY =
  "https://github.com/traceloop/openllmetry/tree/main/packages/opentelemetry-semantic-conventions-ai";
export const AI_SDK = "https://ai-sdk.dev/docs/ai-sdk-core/telemetry";
export const PYDANTIC_HARNESS = "https://github.com/pydantic/pydantic-ai-harness";
export const PYDANTIC_AI = "https://ai.pydantic.dev/logfire/";
export const MASTRA = "https://mastra.ai/reference/observability/tracing/interfaces";
export const LANGSMITH =
  "https://docs.smith.langchain.com/observability/how_to_guides/trace_with_opentelemetry";
export const CODEX = "https://github.com/openai/codex/tree/main/codex-rs/otel";
export const SENTRY = "https://develop.sentry.dev/sdk/telemetry/traces/modules/ai-agents/";
export const LANGFUSE = "https://langfuse.com/integrations/native/opentelemetry";
export const CLAUDE_CODE = "https://code.claude.com/docs/en/monitoring-usage";
export const ADK = "https://github.com/google/adk-python/tree/main/src/google/adk/telemetry";
export const COPILOT = "https://code.visualstudio.com/docs/agents/guides/monitoring-agents";
export const RESOURCE = "https://opentelemetry.io/docs/specs/semconv/resource/";
export const GENERAL = "https://opentelemetry.io/docs/specs/semconv/registry/attributes/";
