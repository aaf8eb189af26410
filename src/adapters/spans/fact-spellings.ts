import {
  ADK,
  AI_SDK,
  CLAUDE_CODE,
  CODEX,
  COPILOT,
  CREWAI,
  GEN_AI,
  GEN_AI_1_36,
  GENERAL,
  LANGFUSE,
  LANGSMITH,
  MASTRA,
  OPENINFERENCE,
  OPENLLMETRY,
  PYDANTIC_AI,
  PYDANTIC_HARNESS,
  RESOURCE,
  SENTRY,
} from "./conventions.js";

export type Fact =
  | "model"
  | "provider"
  | "serviceTier"
  | "toolName"
  | "toolCallId"
  | "toolInput"
  | "toolOutput"
  | "agentName"
  | "agentId"
  | "responseId"
  | "stopReason"
  | "prompt"
  | "answer"
  | "operation"
  | "query"
  | "tokensBefore"
  | "tokensAfter"
  | "sessionId"
  | "userId"
  | "tenantId"
  | "serviceName";

export type FactRow = readonly [attribute: string, source: string, member?: string];

export const FACTS: Readonly<Record<Fact, readonly FactRow[]>> = {
  model: [
    ["gen_ai.response.model", GEN_AI],
    ["gen_ai.request.model", GEN_AI],
    ["llm.model_name", OPENINFERENCE],
    ["llm.response.model_name", OPENINFERENCE],
    ["llm.request.model_name", OPENINFERENCE],
    ["ai.response.model", AI_SDK],
    ["ai.model.id", AI_SDK],
    ["llm.request.model", OPENLLMETRY],
    ["langfuse.observation.model.name", LANGFUSE],
    ["ai.model_id", SENTRY],
    ["model", CODEX],
  ],
  provider: [
    ["gen_ai.provider.name", GEN_AI],
    ["gen_ai.system", GEN_AI_1_36],
    ["llm.provider", OPENINFERENCE],
    ["llm.system", OPENINFERENCE],
    ["ai.model.provider", AI_SDK],
  ],
  serviceTier: [
    ["openai.response.service_tier", GEN_AI],
    ["gen_ai.openai.response.service_tier", GEN_AI_1_36],
  ],
  toolName: [
    ["gen_ai.tool.name", GEN_AI],
    ["tool.name", OPENINFERENCE],
    ["ai.toolCall.name", AI_SDK],
    ["tool_name", CLAUDE_CODE],
    ["traceloop.entity.name", OPENLLMETRY],
  ],
  toolCallId: [
    ["gen_ai.tool.call.id", GEN_AI],
    ["tool_call.id", OPENINFERENCE],
    ["tool.id", OPENINFERENCE],
    ["ai.toolCall.id", AI_SDK],
    ["tool_use_id", CLAUDE_CODE],
    ["call_id", CODEX],
  ],
  toolInput: [
    ["gen_ai.tool.call.arguments", GEN_AI],
    ["ai.toolCall.args", AI_SDK],
    ["tool_arguments", PYDANTIC_AI],
    ["gen_ai.tool.input", SENTRY],
    ["gcp.vertex.agent.tool_call_args", ADK],
    ["traceloop.entity.input", OPENLLMETRY],
    ["tool.parameters", OPENINFERENCE],
    ["input.value", OPENINFERENCE],
    ["langfuse.observation.input", LANGFUSE],
    ["gen_ai.prompt", LANGSMITH],
  ],
  toolOutput: [
    ["gen_ai.tool.call.result", GEN_AI],
    ["ai.toolCall.result", AI_SDK],
    ["tool_response", PYDANTIC_AI],
    ["gen_ai.tool.output", SENTRY],
    ["gcp.vertex.agent.tool_response", ADK],
    ["traceloop.entity.output", OPENLLMETRY],
    ["output.value", OPENINFERENCE],
    ["langfuse.observation.output", LANGFUSE],
    ["gen_ai.completion", LANGSMITH],
  ],
  agentName: [
    ["gen_ai.agent.name", GEN_AI],
    ["agent.name", OPENINFERENCE],
    ["graph.node.id", OPENINFERENCE],
    ["agent_name", PYDANTIC_AI],
    ["gen_ai.workflow.name", GEN_AI],
    ["ai.telemetry.functionId", AI_SDK],
    ["traceloop.entity.name", OPENLLMETRY],
  ],
  agentId: [
    ["gen_ai.agent.id", GEN_AI],
    ["agent_id", CLAUDE_CODE],
  ],
  responseId: [
    ["gen_ai.response.id", GEN_AI],
    ["ai.response.id", AI_SDK],
  ],
  stopReason: [
    ["gen_ai.response.finish_reasons", GEN_AI],
    ["llm.finish_reason", OPENINFERENCE],
    ["ai.response.finishReason", AI_SDK],
    ["stop_reason", CLAUDE_CODE],
  ],
  prompt: [
    ["user_prompt", CLAUDE_CODE],
    ["ai.prompt", AI_SDK],
    ["input.value", OPENINFERENCE],
    ["traceloop.entity.input", OPENLLMETRY],
    ["langfuse.observation.input", LANGFUSE],
    ["crew_tasks", CREWAI, "description"],
  ],
  answer: [
    ["final_result", PYDANTIC_AI],
    ["ai.response.text", AI_SDK],
    ["ai.response.object", AI_SDK],
    ["output.value", OPENINFERENCE],
    ["traceloop.entity.output", OPENLLMETRY],
    ["langfuse.observation.output", LANGFUSE],
  ],
  operation: [
    ["gen_ai.operation.name", GEN_AI],
    ["openinference.span.kind", OPENINFERENCE],
    ["ai.operationId", AI_SDK],
    ["mastra.span.type", MASTRA],
    ["traceloop.span.kind", OPENLLMETRY],
    ["langsmith.span.kind", LANGSMITH],
    ["langfuse.observation.type", LANGFUSE],
  ],
  query: [
    ["gen_ai.memory.query.text", GEN_AI],
    ["gen_ai.retrieval.query.text", GEN_AI],
  ],
  tokensBefore: [["compaction.tokens_before", PYDANTIC_HARNESS]],
  tokensAfter: [["compaction.tokens_after", PYDANTIC_HARNESS]],
  sessionId: [
    ["gen_ai.conversation.id", GEN_AI],
    ["session.id", OPENINFERENCE],
    ["langfuse.session.id", LANGFUSE],
    ["langsmith.trace.session_id", LANGSMITH],
    ["langsmith.metadata.session_id", LANGSMITH],
    ["langsmith.metadata.thread_id", LANGSMITH],
    ["copilot_chat.session_id", COPILOT],
    ["copilot_chat.chat_session_id", COPILOT],
    ["traceloop.association.properties.session_id", OPENLLMETRY],
    ["traceloop.association.properties.thread_id", OPENLLMETRY],
    ["ai.telemetry.metadata.sessionId", AI_SDK],
    ["gcp.vertex.agent.session_id", ADK],
    ["mastra.metadata.threadId", MASTRA],
    ["thread.id", CODEX],
  ],
  userId: [
    ["user.id", GENERAL],
    ["enduser.id", GENERAL],
    ["langfuse.user.id", LANGFUSE],
    ["traceloop.association.properties.user_id", OPENLLMETRY],
    ["ai.telemetry.metadata.userId", AI_SDK],
  ],
  tenantId: [
    ["tenant.id", GENERAL],
    ["traceloop.association.properties.tenant_id", OPENLLMETRY],
    ["ai.telemetry.metadata.tenantId", AI_SDK],
  ],
  serviceName: [["service.name", RESOURCE]],
};
