import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { TokenUsage } from "../../../domain/usage/token-usage.js";

/** `cached` is a part of the prompt. */
type Counts = readonly [prompt: string, cached: string, output: string, thoughts: string, total: string];

const IN_RECORDS: Counts = [
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
];

const IN_TELEMETRY: Counts = [
  "input_token_count",
  "cached_content_token_count",
  "output_token_count",
  "thoughts_token_count",
  "total_token_count",
];

export interface Spent {
  readonly usage: TokenUsage;
  readonly hasOddCount: boolean;
}

export function spentIn({ usageMetadata }: JsonObject): Spent | undefined {
  return isJsonObject(usageMetadata) ? spent(usageMetadata, IN_RECORDS) : undefined;
}

/** The prompt contains cached tokens. The output contains thoughts, unless the total adds them. */
function spent(counts: JsonObject, names: Counts): Spent {
  const [prompt, cached, output, thoughts, total] = names.map((name) => countField(counts, name)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const cacheReadTokens = Math.min(cached, prompt);
  const isBeside = thoughts > 0 && total === prompt + output + thoughts;
  const outputTokens = isBeside ? output + thoughts : output;
  const usage = { inputTokens: prompt - cacheReadTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 };
  return { usage, hasOddCount: names.some((name) => isOddCount(counts, name)) };
}

export interface Telemetry {
  readonly is: "response" | "error" | "tool";
  readonly agentId: string | undefined;
  /** Outside the conversation: to summarise or name it. */
  readonly isSide: boolean;
  readonly promptId: string | undefined;
  readonly toolCallId: string | undefined;
  readonly model: string | undefined;
  readonly spent: Spent;
  /** In milliseconds since the epoch. */
  readonly begin: number | undefined;
  readonly end: number | undefined;
}

const KINDS: ReadonlyMap<unknown, Telemetry["is"]> = new Map([
  ["qwen-code.api_response", "response"],
  ["qwen-code.api_error", "error"],
  ["qwen-code.tool_call", "tool"],
]);

const SIDE = /^(compress-|side-query)/;

/** `<session>#<agent>#<round>` */
const OF_AGENT = /^[^#]+#([^#]+)#\d+$/;

export function telemetryIn(record: JsonObject): Telemetry | undefined {
  const event = uiEventOf(record);
  const is = KINDS.get(event["event.name"]);
  if (is === undefined) return undefined;
  const promptId = textField(event, "prompt_id");
  const end = instantOf(event["event.timestamp"]) ?? instantOf(record.timestamp);
  return {
    is,
    agentId: agentIdOf(textField(event, "subagent_id") ?? OF_AGENT.exec(promptId ?? "")?.[1]),
    isSide: SIDE.test(promptId ?? ""),
    promptId,
    toolCallId: textField(event, "call_id"),
    model: textField(event, "model"),
    spent: spent(event, IN_TELEMETRY),
    begin: end === undefined ? undefined : instantOf(end - countField(event, "duration_ms")),
    end,
  };
}

export function uiEventOf(record: JsonObject): JsonObject {
  if (record.type !== "system" || record.subtype !== "ui_telemetry") return {};
  return objectField(objectField(record, "systemPayload"), "uiEvent");
}

export function agentIdOf(id: string | undefined): string | undefined {
  return id?.replace(/[^a-zA-Z0-9_-]/g, "_");
}
