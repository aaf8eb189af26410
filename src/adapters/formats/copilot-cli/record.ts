import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { usageOf as checkedUsage, type TokenUsage } from "../../../domain/usage/token-usage.js";
import type { ToolOutcome } from "../../transcripts/recorder/parts.js";

const BOOKKEEPING =
  /^(assistant\.(turn_start|turn_end|message|fusion_.*)|hook\.(start|end)|model\..*|permission\..*|session\.(auto_mode_resolved|binary_asset|canvas\..*|compaction_start|completion_receipt|fusion_.*|mode_changed|mode_notice_delivered|model_change|permissions_changed|remote_steerable_changed|resume|schedule_.*|session_limits_changed|shutdown|start|title_changed|usage_checkpoint|usage_record|workspace_file_changed)|skill\.(context_delivered_ref|invoked_ref)|subagent\..*|tool_search\.activated)$/;

const REGISTERED =
  /^(abort|assistant\.reasoning|external_tool\.requested|session\.(autopilot_objective_changed|compaction_complete|context_changed|context_cleared|error|handoff|info|plan_changed|task_complete|truncation|warning)|skill\.(context_delivered|invoked)|system\.(message|notification)|tool\.(execution_start|execution_complete|user_requested)|user\.message)$/;

export const isRegistered = (type: string) => BOOKKEEPING.test(type) || REGISTERED.test(type);

export function bookkeepingOf(type: string, data: JsonObject): JsonObject {
  const failure = data.success === false ? { isError: true, error: data.error } : {};
  if (type === "hook.end") return { bookkeeping: "hook", hook: { name: data.hookType }, ...failure };
  return BOOKKEEPING.test(type) ? { bookkeeping: "record" } : failure;
}

/** Other sources are skills, agents, and Copilot CLI itself. */
export function isTyped({ source, isAutopilotContinuation }: JsonObject): boolean {
  return (source ?? "user") === "user" && isAutopilotContinuation !== true;
}

/** Returns the record's own call, or that of a compaction. Copilot CLI's own messages that call a tool have none. */
export function callIn(type: string, data: JsonObject): JsonObject | undefined {
  if (type === "session.usage_record") return objectField(data, "usage");
  if (type === "session.compaction_complete")
    return isJsonObject(data.compactionTokensUsed) ? data.compactionTokensUsed : undefined;
  const isAnswer =
    (data.model ?? data.apiCallId ?? data.requestId ?? data.outputTokens ?? undefined) !== undefined;
  return type === "assistant.message" && isAnswer ? data : undefined;
}

const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"];

export const hasOddUsage = (tokens: JsonObject) => COUNTS.some((name) => isOddCount(tokens, name));

/** `inputTokens` contains cached tokens, `outputTokens` contains reasoning. */
export function usageOf(tokens: JsonObject): TokenUsage {
  const cacheReadTokens = Math.min(countField(tokens, "cacheReadTokens"), countField(tokens, "inputTokens"));
  return checkedUsage({
    ...tokens,
    inputTokens: countField(tokens, "inputTokens") - cacheReadTokens,
    cacheReadTokens,
  });
}

export function usageOfDetails(details: JsonObject): TokenUsage {
  const count = (name: string) => objectField(details, name).tokenCount;
  return checkedUsage({
    inputTokens: count("input"),
    outputTokens: count("output"),
    cacheReadTokens: count("cache_read"),
    cacheWriteTokens: count("cache_write"),
  });
}

/** `rejected` if a person refused it, `denied` if a rule did: the result types of `@github/copilot-sdk`. */
export function resultIn(data: JsonObject): { readonly output: unknown; readonly outcome: ToolOutcome } {
  const { content } = objectField(data, "result");
  const { message, code } = objectField(data, "error");
  if (data.success !== false) return { output: content, outcome: "completed" };
  return { output: message ?? content, outcome: code === "rejected" ? "refused" : "failed" };
}

/** Ending of a command's output in older versions. */
const EXITED = /<(?:exited|shellId: \d+ completed) with exit code (-?\d+)>\s*$/;

export function exitCodeIn(data: JsonObject, output: unknown): unknown {
  const { exitCode } = objectField(data, "shellExecution");
  const exitText =
    exitCode === undefined && typeof output === "string" ? EXITED.exec(output)?.[1] : undefined;
  return exitText === undefined ? exitCode : Number(exitText);
}

export function spawnIn(toolName: string, input: JsonObject) {
  if (toolName !== "task") return undefined;
  const [role, description, prompt] = ["agent_type", "description", "prompt"].map((name) =>
    textField(input, name),
  );
  return { role, description, prompt };
}
