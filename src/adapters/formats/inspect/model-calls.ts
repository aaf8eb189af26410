import type { MessageRun } from "../../../domain/conversation/conversation-outline.js";
import {
  countField,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { NO_USAGE, type TokenUsage } from "../../../domain/usage/token-usage.js";
import type { ReportedCall } from "../../transcripts/recorder/calls.js";

export interface InspectCall extends ReportedCall {
  readonly context: readonly MessageRun[];
  readonly completedAt: number | undefined;
}

export function callOf(record: JsonObject, line: number): InspectCall {
  const usage = objectField(objectField(record, "output"), "usage");
  // The first request paid for a cached answer.
  const isPaid = record.cache !== "read";
  const { total_cost: cost } = usage;
  const context = Array.isArray(record.context) ? record.context : [];
  return {
    messageId: undefined,
    recordId: `line ${line}`,
    model: textField(record, "model"),
    usage: isPaid ? usageOf(usage) : NO_USAGE,
    hasOddCount: COUNTS.some((name) => isOddCount(usage, name)),
    recordedUsd: isPaid && typeof cost === "number" && cost >= 0 ? cost : undefined,
    context: context as readonly MessageRun[],
    completedAt: instantOf(record.completed),
  };
}

const COUNTS = ["input_tokens", "output_tokens", "input_tokens_cache_read", "input_tokens_cache_write"];

/** Some providers count cached tokens as part of the input, others separately: the total decides. */
function usageOf(usage: JsonObject): TokenUsage {
  const [input, outputTokens, cacheReadTokens, cacheWriteTokens] = COUNTS.map((name) =>
    countField(usage, name),
  ) as [number, number, number, number];
  const isWithin = countField(usage, "total_tokens") === input + outputTokens;
  const inputTokens = isWithin ? Math.max(0, input - cacheReadTokens - cacheWriteTokens) : input;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
