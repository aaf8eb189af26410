import { classifyEvent } from "./event-kinds.js";
import { countField, isJsonObject, type JsonObject, objectField, textField } from "./json.js";
import type { TokenUsage } from "./session.js";

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

/** The tokens of the model call that an envelope ends; `undefined` for any other envelope. */
export function usageOfCall(envelope: JsonObject): TokenUsage | undefined {
  const event = objectField(envelope, "event");
  const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
  return kind === "llm" && phase !== "start" ? readUsage(event) : undefined;
}

function pick(usage: JsonObject, names: readonly string[]): number {
  for (const name of names) if (typeof usage[name] === "number") return countField(usage, name);
  return 0;
}

/** US dollars that an event says its model call cost. */
export function recordedCostOf(event: JsonObject): number | undefined {
  const { costUSD } = event;
  return typeof costUSD === "number" && costUSD >= 0 ? costUSD : undefined;
}
