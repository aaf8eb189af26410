import { countField, isJsonObject, type JsonObject } from "../../../src/domain/json.js";
import type { TokenUsage } from "../../../src/domain/session.js";

/** The spellings of vendors and agent applications. The first that is there counts. */
const SPELLINGS = {
  inputTokens: ["inputTokens", "input_tokens", "promptTokens", "prompt_tokens", "input"],
  outputTokens: ["outputTokens", "output_tokens", "completionTokens", "completion_tokens", "output"],
  cacheReadTokens: ["cacheReadTokens", "cache_read_input_tokens", "cachedInputTokens", "cacheRead"],
  cacheWriteTokens: ["cacheWriteTokens", "cache_creation_input_tokens", "cacheCreationTokens", "cacheWrite"],
} as const;

/** The usage that an event or a message carries; `undefined` where it names no number of tokens. */
export function readUsage(record: JsonObject): TokenUsage | undefined {
  const usage = isJsonObject(record.usage)
    ? record.usage
    : isJsonObject(record.tokens)
      ? record.tokens
      : undefined;
  if (usage === undefined) return undefined;
  const read = {
    inputTokens: pick(usage, SPELLINGS.inputTokens),
    outputTokens: pick(usage, SPELLINGS.outputTokens),
    cacheReadTokens: pick(usage, SPELLINGS.cacheReadTokens),
    cacheWriteTokens: pick(usage, SPELLINGS.cacheWriteTokens),
  };
  return Object.values(read).some((count) => count > 0) ? read : undefined;
}

/** All that the model read in one call: its context, as the vendor counted it. */
export function contextTokens(usage: TokenUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** The part of what a call read that a cache served, from 0 to 1; `undefined` where it read nothing. */
export function cacheShare(usage: TokenUsage): number | undefined {
  const read = contextTokens(usage);
  return read === 0 ? undefined : usage.cacheReadTokens / read;
}

/**
 * Estimates the tokens of a text that nobody counted, at four characters each. The page marks such numbers with ≈.
 */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

function pick(usage: JsonObject, names: readonly string[]): number {
  for (const name of names) if (typeof usage[name] === "number") return countField(usage, name);
  return 0;
}
