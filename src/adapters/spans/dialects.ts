/**
 * How the conventions spell what this project wants to know of a span. A row is a spelling and where it is written down; rows of one
 * table are tried from the top. A convention that is in no row loses nothing: its span is an event with all of its attributes.
 */

/** - `turn`: what a person asked for, with all that was done for it. - `other`: anything else, such as a step or a request. */
export type DialectKind = "agent" | "turn" | "model" | "tool" | "other";

const GEN_AI =
  "https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/registry/attributes/gen-ai.md";
const GEN_AI_1_36 = "https://github.com/open-telemetry/semantic-conventions/tree/v1.36.0/docs/gen-ai";
const OPENINFERENCE = "https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html";
const CREWAI =
  "https://github.com/Arize-ai/openinference/tree/main/python/instrumentation/openinference-instrumentation-crewai";
const OPENLLMETRY =
  "https://github.com/traceloop/openllmetry/tree/main/packages/opentelemetry-semantic-conventions-ai";
const AI_SDK = "https://ai-sdk.dev/docs/ai-sdk-core/telemetry";
const PYDANTIC_AI = "https://ai.pydantic.dev/logfire/";
const MASTRA = "https://mastra.ai/reference/observability/tracing/interfaces";
const LANGSMITH = "https://docs.smith.langchain.com/observability/how_to_guides/trace_with_opentelemetry";
const LANGFUSE = "https://langfuse.com/integrations/native/opentelemetry";
const CLAUDE_CODE = "https://code.claude.com/docs/en/monitoring-usage";
const ADK = "https://github.com/google/adk-python/tree/main/src/google/adk/telemetry";
const COPILOT = "https://code.visualstudio.com/docs/agents/guides/monitoring-agents";
const RESOURCE = "https://opentelemetry.io/docs/specs/semconv/resource/";
const GENERAL = "https://opentelemetry.io/docs/specs/semconv/registry/attributes/";

/** An attribute that tells the kind of a span by its value. */
interface KindRow {
  readonly attribute: string;
  readonly source: string;
  /** The values that tell each kind, in lower case. */
  readonly values: { readonly [Kind in DialectKind]?: readonly string[] };
}

/** What says the kind outright comes first, then the name of the operation. */
export const KINDS: readonly KindRow[] = [
  {
    attribute: "openinference.span.kind",
    source: OPENINFERENCE,
    values: {
      agent: ["agent"],
      model: ["llm"],
      tool: ["tool"],
      other: ["chain", "embedding", "retriever", "reranker", "guardrail", "evaluator", "prompt"],
    },
  },
  {
    attribute: "span.type",
    source: CLAUDE_CODE,
    values: { turn: ["interaction"], model: ["llm_request"], tool: ["tool"] },
  },
  {
    attribute: "mastra.span.type",
    source: MASTRA,
    values: {
      agent: ["agent_run", "workflow_run"],
      model: ["model_generation", "llm_generation"],
      tool: ["tool_call", "mcp_tool_call"],
      other: ["model_step", "model_chunk"],
    },
  },
  {
    attribute: "gen_ai.operation.name",
    source: GEN_AI,
    values: {
      agent: ["invoke_agent", "invoke_workflow"],
      model: ["chat", "generate_content", "text_completion"],
      tool: ["execute_tool"],
      other: ["create_agent", "embeddings", "retrieval"],
    },
  },
  {
    attribute: "ai.operationId",
    source: AI_SDK,
    values: {
      agent: ["ai.generatetext", "ai.streamtext", "ai.generateobject", "ai.streamobject"],
      model: [
        "ai.generatetext.dogenerate",
        "ai.streamtext.dostream",
        "ai.generateobject.dogenerate",
        "ai.streamobject.dostream",
      ],
      tool: ["ai.toolcall"],
    },
  },
  {
    attribute: "traceloop.span.kind",
    source: OPENLLMETRY,
    values: { agent: ["workflow", "agent"], tool: ["tool"], other: ["task"] },
  },
  { attribute: "llm.request.type", source: OPENLLMETRY, values: { model: ["chat", "completion"] } },
  {
    attribute: "langsmith.span.kind",
    source: LANGSMITH,
    values: { model: ["llm"], tool: ["tool"], other: ["chain", "retriever", "embedding", "prompt"] },
  },
  {
    attribute: "langfuse.observation.type",
    source: LANGFUSE,
    values: { agent: ["agent"], model: ["generation"], tool: ["tool"], other: ["span", "chain", "event"] },
  },
];

/** What a span is by its name, where no attribute tells more than that it is a step. */
export const KINDS_BY_NAME: readonly {
  readonly scope: string;
  readonly name: RegExp;
  readonly kind: DialectKind;
  readonly source: string;
}[] = [
  { scope: "gcp.vertex.agent", name: /^invocation/, kind: "turn", source: ADK },
  { scope: "gcp.vertex.agent", name: /^agent_run/, kind: "agent", source: ADK },
  { scope: "gcp.vertex.agent", name: /^call_llm/, kind: "model", source: ADK },
  { scope: "gcp.vertex.agent", name: /^execute_tool/, kind: "tool", source: ADK },
  { scope: "pydantic-ai", name: /^agent run/, kind: "agent", source: PYDANTIC_AI },
  { scope: "pydantic-ai", name: /^chat /, kind: "model", source: PYDANTIC_AI },
  { scope: "pydantic-ai", name: /^running tool: /, kind: "tool", source: PYDANTIC_AI },
  { scope: "openinference.instrumentation.crewai", name: /\.kickoff$/, kind: "turn", source: CREWAI },
];

/** What is known of a span by one attribute. */
export type Fact =
  | "model"
  | "provider"
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
  | "sessionId"
  | "userId"
  | "tenantId"
  | "serviceName";

/** With a member, it is that text of each object in a list: the attribute says more than the fact. */
type FactRow = readonly [attribute: string, source: string, member?: string];

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
  ],
  provider: [
    ["gen_ai.provider.name", GEN_AI],
    ["gen_ai.system", GEN_AI_1_36],
    ["llm.provider", OPENINFERENCE],
    ["llm.system", OPENINFERENCE],
    ["ai.model.provider", AI_SDK],
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
  ],
  toolInput: [
    ["gen_ai.tool.call.arguments", GEN_AI],
    ["ai.toolCall.args", AI_SDK],
    ["tool_arguments", PYDANTIC_AI],
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

/** How one convention counts the tokens of a model call. */
export interface UsageRow {
  readonly input: string;
  readonly output: string;
  readonly cacheRead?: readonly string[];
  readonly cacheWrite?: readonly string[];
  readonly reasoning?: readonly string[];
  readonly total?: string;
  /** Whether the input holds what came from a cache and what was written to it. */
  readonly isCacheInside: boolean;
  readonly source: string;
}

const GEN_AI_CACHE_READ = ["gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"];
const GEN_AI_CACHE_WRITE = [
  "gen_ai.usage.cache_creation.input_tokens",
  "gen_ai.usage.cache_creation_input_tokens",
];
const GEN_AI_REASONING = [
  "gen_ai.usage.reasoning.output_tokens",
  "gen_ai.usage.reasoning_tokens",
  "gen_ai.usage.details.reasoning_tokens",
];

export const USAGES: readonly UsageRow[] = [
  {
    input: "gen_ai.usage.input_tokens",
    output: "gen_ai.usage.output_tokens",
    cacheRead: [...GEN_AI_CACHE_READ, "gen_ai.usage.details.cache_read_tokens"],
    cacheWrite: [...GEN_AI_CACHE_WRITE, "gen_ai.usage.details.cache_write_tokens"],
    reasoning: GEN_AI_REASONING,
    total: "gen_ai.usage.total_tokens",
    isCacheInside: true,
    source: GEN_AI,
  },
  {
    input: "gen_ai.usage.prompt_tokens",
    output: "gen_ai.usage.completion_tokens",
    cacheRead: GEN_AI_CACHE_READ,
    cacheWrite: GEN_AI_CACHE_WRITE,
    reasoning: GEN_AI_REASONING,
    total: "llm.usage.total_tokens",
    isCacheInside: true,
    source: OPENLLMETRY,
  },
  {
    input: "llm.token_count.prompt",
    output: "llm.token_count.completion",
    cacheRead: ["llm.token_count.prompt_details.cache_read"],
    cacheWrite: ["llm.token_count.prompt_details.cache_write"],
    reasoning: ["llm.token_count.completion_details.reasoning"],
    total: "llm.token_count.total",
    isCacheInside: true,
    source: OPENINFERENCE,
  },
  {
    input: "ai.usage.inputTokens",
    output: "ai.usage.outputTokens",
    cacheRead: ["ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens"],
    cacheWrite: ["ai.usage.inputTokenDetails.cacheWriteTokens"],
    reasoning: ["ai.usage.outputTokenDetails.reasoningTokens", "ai.usage.reasoningTokens"],
    total: "ai.usage.totalTokens",
    isCacheInside: true,
    source: AI_SDK,
  },
  {
    input: "ai.usage.promptTokens",
    output: "ai.usage.completionTokens",
    isCacheInside: true,
    source: AI_SDK,
  },
  {
    input: "input_tokens",
    output: "output_tokens",
    cacheRead: ["cache_read_tokens"],
    cacheWrite: ["cache_creation_tokens"],
    isCacheInside: false,
    source: CLAUDE_CODE,
  },
];

/** What a call cost, in US dollars. */
export const COSTS: readonly FactRow[] = [
  ["operation.cost", PYDANTIC_AI],
  ["llm.cost.total", OPENINFERENCE],
  ["gen_ai.usage.cost", OPENLLMETRY],
];
