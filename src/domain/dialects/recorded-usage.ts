import { countField, isJsonObject, type JsonObject, objectField } from "../json/json.js";
import { type TokenUsage, usageOf } from "../usage/token-usage.js";

/** Spellings of vendors and applications; the first present one counts. */
const SPELLINGS = {
  inputTokens: ["inputTokens", "input_tokens", "promptTokens", "prompt_tokens", "input"],
  outputTokens: ["outputTokens", "output_tokens", "completionTokens", "completion_tokens", "output"],
  cacheReadTokens: ["cacheReadTokens", "cache_read_input_tokens", "cachedInputTokens", "cacheRead"],
  cacheWriteTokens: ["cacheWriteTokens", "cache_creation_input_tokens", "cacheCreationTokens", "cacheWrite"],
} as const;

/** Anthropic's API reports it in `cache_creation`. */
const CACHED_FOR_AN_HOUR = ["cacheWrite1hTokens", "ephemeral_1h_input_tokens"] as const;

/** `undefined` without any number of tokens. */
export function readUsage(record: JsonObject): TokenUsage | undefined {
  const usage = isJsonObject(record.usage)
    ? record.usage
    : isJsonObject(record.tokens)
      ? record.tokens
      : undefined;
  if (usage === undefined) return undefined;
  const read = usageOf({
    inputTokens: pick(usage, SPELLINGS.inputTokens),
    outputTokens: pick(usage, SPELLINGS.outputTokens),
    cacheReadTokens: pick(usage, SPELLINGS.cacheReadTokens),
    cacheWriteTokens: pick(usage, SPELLINGS.cacheWriteTokens),
    cacheWrite1hTokens:
      pick(usage, CACHED_FOR_AN_HOUR) || pick(objectField(usage, "cache_creation"), CACHED_FOR_AN_HOUR),
  });
  return Object.values(read).some((count) => count > 0) ? read : undefined;
}

/** US dollars; `undefined` if not recorded. */
export function recordedCostOf(event: JsonObject): number | undefined {
  const { usage, attributes } = {
    usage: objectField(event, "usage"),
    attributes: objectField(event, "attributes"),
  };
  const recorded = [
    event.costUSD,
    event.cost,
    objectField(event, "cost").total,
    usage.cost,
    objectField(usage, "cost").total,
    event["gen_ai.usage.cost"],
    event["llm.cost.total"],
    attributes["gen_ai.usage.cost"],
    attributes["llm.cost.total"],
  ];
  return recorded.find(
    (cost): cost is number => typeof cost === "number" && cost >= 0 && Number.isFinite(cost),
  );
}

function pick(usage: JsonObject, names: readonly string[]): number {
  for (const name of names) if (typeof usage[name] === "number") return countField(usage, name);
  return 0;
}
