import {
  AI_SDK,
  CLAUDE_CODE,
  CODEX,
  GEN_AI,
  LANGFUSE,
  OPENINFERENCE,
  OPENLLMETRY,
  PYDANTIC_AI,
  SENTRY,
} from "./conventions.js";
import type { FactRow } from "./fact-spellings.js";
import { OWN_ATTRIBUTES } from "./own-attributes.js";

/**
 * Names of the span attributes with token counts and costs. Each tracing convention spells them differently.
 */

/** Attribute names of one convention. The first existing attribute of a list applies. */
export interface UsageRow {
  /** Attribute whose JSON object has the names. Default is the span's attributes. */
  readonly within?: string;
  readonly input: string;
  readonly output: string;
  readonly cacheRead?: readonly string[];
  readonly cacheWrite?: readonly string[];
  /** Cache writes with a lifetime of one hour, which cost more. */
  readonly cacheWrite1h?: readonly string[];
  readonly reasoning?: readonly string[];
  /** Sum of all tokens, to check the other counts. */
  readonly total?: string;
  /** True if the input includes tokens that a cache served or stored. */
  readonly isCacheInside: boolean;
  /** URL of the convention. */
  readonly source: string;
}

const GEN_AI_CACHE_READ = [
  "gen_ai.usage.cache_read.input_tokens",
  "gen_ai.usage.cache_read_input_tokens",
  "gen_ai.usage.input_tokens.cached",
];
const GEN_AI_CACHE_WRITE = [
  "gen_ai.usage.cache_write.input_tokens",
  "gen_ai.usage.cache_creation.input_tokens",
  "gen_ai.usage.cache_creation_input_tokens",
  "gen_ai.usage.input_tokens.cache_write",
];
const GEN_AI_REASONING = [
  "gen_ai.usage.reasoning.output_tokens",
  "gen_ai.usage.reasoning_tokens",
  "gen_ai.usage.output_tokens.reasoning",
  "gen_ai.usage.details.reasoning_tokens",
];

/** If several conventions match and no total decides, the first row applies. */
export const USAGES: readonly UsageRow[] = [
  {
    input: "gen_ai.usage.input_tokens",
    output: "gen_ai.usage.output_tokens",
    cacheRead: [...GEN_AI_CACHE_READ, "gen_ai.usage.details.cache_read_tokens"],
    cacheWrite: [...GEN_AI_CACHE_WRITE, "gen_ai.usage.details.cache_write_tokens"],
    cacheWrite1h: [OWN_ATTRIBUTES.cacheWrite1h],
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
    input: "ai.prompt_tokens.used",
    output: "ai.completion_tokens.used",
    total: "ai.total_tokens.used",
    isCacheInside: true,
    source: SENTRY,
  },
  {
    input: "codex.turn.token_usage.input_tokens",
    output: "codex.turn.token_usage.output_tokens",
    cacheRead: ["codex.turn.token_usage.cached_input_tokens"],
    cacheWrite: ["codex.turn.token_usage.cache_write_input_tokens"],
    reasoning: ["codex.turn.token_usage.reasoning_output_tokens"],
    total: "codex.turn.token_usage.total_tokens",
    isCacheInside: true,
    source: CODEX,
  },
  {
    within: "langfuse.observation.usage_details",
    input: "input",
    output: "output",
    cacheRead: ["cache_read_input_tokens", "input_cached_tokens", "input_cache_read"],
    cacheWrite: ["cache_creation_input_tokens", "input_cache_creation"],
    reasoning: ["output_reasoning_tokens", "output_reasoning"],
    total: "total",
    isCacheInside: false,
    source: LANGFUSE,
  },
  {
    within: "langfuse.observation.usage_details",
    input: "prompt_tokens",
    output: "completion_tokens",
    total: "total_tokens",
    isCacheInside: true,
    source: LANGFUSE,
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

/** Costs of a call in US dollars: attribute name and convention. The first number applies. */
export const COSTS: readonly FactRow[] = [
  ["operation.cost", PYDANTIC_AI],
  ["llm.cost.total", OPENINFERENCE],
  ["gen_ai.usage.cost", OPENLLMETRY],
  ["langfuse.observation.cost_details", LANGFUSE, "total"],
];

/** JSON of the provider's answer in version 5, whose own counts exclude cached tokens. */
export const PROVIDER_METADATA: FactRow = ["ai.response.providerMetadata", AI_SDK];
