import {
  ADK,
  AI_SDK,
  CLAUDE_CODE,
  CODEX,
  CREWAI,
  GEN_AI,
  LANGFUSE,
  LANGSMITH,
  MASTRA,
  OPENINFERENCE,
  OPENLLMETRY,
  PYDANTIC_AI,
} from "./conventions.js";

/**
 * Attribute names of the conventions, each with its defining document; rows are tried from the top. Without a row nothing is lost: the
 * span is an event with all attributes.
 */

/**
 * - `turn`: a person's prompt, with all work for it.
 * - `compaction`: a context was made smaller.
 * - `other`: a step, a request or anything else.
 */
export type DialectKind = "agent" | "turn" | "model" | "tool" | "compaction" | "other";

interface KindRow {
  readonly attribute: string;
  readonly source: string;
  /** In lower case. */
  readonly values: { readonly [Kind in DialectKind]?: readonly string[] };
}

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
      other: [
        "create_agent",
        "plan",
        "embeddings",
        "retrieval",
        "search_memory",
        "create_memory",
        "update_memory",
        "upsert_memory",
        "delete_memory",
        "create_memory_store",
        "delete_memory_store",
      ],
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

/** On a model call (source: the registry): its context is a compacted view. On any other span: the span is the compaction. */
export const COMPACTED = "gen_ai.conversation.compacted";

export const KINDS_BY_NAME: readonly {
  /** Default is any. */
  readonly scope?: string;
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
  // Codex reports the usage of all calls of a turn together.
  { name: /^session_task\.turn$/, kind: "model", source: CODEX },
  { name: /^dispatch_tool_call/, kind: "tool", source: CODEX },
  { scope: "openinference.instrumentation.crewai", name: /\.kickoff$/, kind: "turn", source: CREWAI },
];
