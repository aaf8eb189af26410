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

/** Names of a model call's counts: its prompt, the cached part of it, its output, its thoughts, and the total. */
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

/** Use of a model call, and if one of its counts is invalid. */
export interface Spent {
  readonly usage: TokenUsage;
  readonly hasOddCount: boolean;
}

/** Returns the use in a record of a model call; `undefined` if it has none. */
export function spentIn({ usageMetadata }: JsonObject): Spent | undefined {
  return isJsonObject(usageMetadata) ? spent(usageMetadata, IN_RECORDS) : undefined;
}

/** Cached tokens are a part of the prompt. Thoughts are a part of the output, unless the stated total adds them to it. */
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

/** Telemetry in a conversation's file about each model call and each tool call, including those of sub-agents. */
export interface Told {
  readonly is: "response" | "error" | "tool";
  /** The sub-agent that it was for. */
  readonly agentId: string | undefined;
  /** True for a call outside the conversation: to summarise it, or to name it. */
  readonly isSide: boolean;
  readonly promptId: string | undefined;
  readonly toolCallId: string | undefined;
  readonly model: string | undefined;
  readonly spent: Spent;
  /** When it began and ended, in milliseconds since the epoch. */
  readonly begin: number | undefined;
  readonly end: number | undefined;
}

const KINDS: ReadonlyMap<unknown, Told["is"]> = new Map([
  ["qwen-code.api_response", "response"],
  ["qwen-code.api_error", "error"],
  ["qwen-code.tool_call", "tool"],
]);

/** Matches the beginnings of ids of prompts that do not belong to the conversation. */
const SIDE = /^(compress-|side-query)/;

/** The id of a prompt of a sub-agent: the session's, its own, and the number of its round. */
const OF_AGENT = /^[^#]+#([^#]+)#\d+$/;

export function toldIn(record: JsonObject): Told | undefined {
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

/** An agent's id as the name of its file has it. */
export function agentIdOf(id: string | undefined): string | undefined {
  return id?.replace(/[^a-zA-Z0-9_-]/g, "_");
}
