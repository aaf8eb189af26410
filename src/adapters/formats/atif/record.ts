import { objectsIn, resultsOfStep, type StepCall } from "../../../domain/conversation/trajectory-steps.js";
import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import type { TokenUsage } from "../../../domain/session/session.js";
import { textsIn } from "../../transcripts/parts.js";

/**
 * The names of the Agent Trajectory Interchange Format (Harbor's RFC 0001, 1.4 to 1.8), and what they mean: for whoever reads
 * trajectories, or writes them.
 */
export const SCHEMA = "ATIF-v";

/** The members of a trajectory that hold records, and those by which one names another. */
export const STEPS = "steps";
export const SUBAGENTS = "subagent_trajectories";
export const REFERENCE = "subagent_trajectory_ref";
export const CONTINUED = "continued_trajectory_ref";

/** The version of a trajectory, as `1.7`; `undefined` where it is none. */
export function versionOf(trajectory: JsonObject): string | undefined {
  const written = textField(trajectory, "schema_version");
  return written?.startsWith(SCHEMA) ? written.slice(SCHEMA.length) : undefined;
}

/** Whether a record is a step; else it is a trajectory, or the members of one in front of its steps or behind them. */
export function isStep(record: JsonObject): boolean {
  return record.source !== undefined || record.step_id !== undefined;
}

/** Repeated from an earlier document: it is counted there. */
export function isCopied(step: JsonObject): boolean {
  return step.is_copied_context === true;
}

/** Whether the step is an answer of a model: the harness may have made it by itself. */
export function isModelCall({ source, llm_call_count: calls }: JsonObject): boolean {
  return source === "agent" && calls !== 0;
}

/** The trajectories that a step's results name: sub-agents. */
export function referencesIn(results: readonly JsonObject[]): readonly JsonObject[] {
  return results.flatMap((result) => objectsIn(result[REFERENCE]));
}

/** What a reference calls its sub-agent. */
export function agentIdOf(reference: JsonObject): string | undefined {
  const { trajectory_id: id, trajectory_path: file } = reference;
  const named = textField({ id }, "id") ?? textField({ file }, "file")?.replace(/\.json$/, "");
  return named ?? textField(reference, "session_id");
}

/** What a sub-agent is said to do where it is named. */
export function purposeOf(reference: JsonObject | undefined): string | undefined {
  return textField(objectField(reference ?? {}, "extra"), "summary");
}

/** Whether the calls and results of a step are made as they should be: what is not, is shown as it stands. */
export function isRegular({ tool_calls: calls, observation = { results: [] } }: JsonObject): boolean {
  if (calls !== undefined && !isList(calls)) return false;
  return (
    isJsonObject(observation) &&
    Object.keys(observation).every((name) => name === "results" && isList(observation[name]))
  );
}

const isList = (value: unknown) => Array.isArray(value) && value.every(isJsonObject);

/** Whether a system step tells that the context was summed up: as 1.7 marks it, or as Harbor's Terminus names those who did. */
export function isCompaction(step: JsonObject): boolean {
  const { type } = objectField(objectField(step, "extra"), "context_management");
  if (type !== undefined) return type === "compaction";
  return referencesIn(resultsOfStep(step)).some((one) => /summarization-\d/.test(agentIdOf(one) ?? ""));
}

/**
 * How a call ended. The format itself has no member for it: adapters of Harbor mark one that failed so, and this project also one that a
 * person refused.
 */
export function outcomeOf({ call, results }: StepCall, step: JsonObject): "completed" | "failed" | "refused" {
  const isAlone = objectsIn(step.tool_calls).length === 1;
  const notes = [call, ...results, ...(isAlone ? [step] : [])].map((owner) => objectField(owner, "extra"));
  if (notes.some(({ refused }) => refused === true)) return "refused";
  const isFailed = notes.some(
    ({ is_error, tool_result_is_error }) => is_error === true || tool_result_is_error === true,
  );
  return isFailed ? "failed" : "completed";
}

/** Whether a system step tells of an error, as this project writes it. */
export function isError(step: JsonObject): boolean {
  return objectField(step, "extra").is_error === true && resultsOfStep(step).length === 0;
}

/** Why the model call that a step is failed, where it did; as this project writes it. */
export function callErrors(step: JsonObject): readonly string[] {
  const error = textField(objectField(step, "extra"), "error");
  return error === undefined ? [] : [error];
}

export function textOf(content: unknown): string {
  return textsIn(content).join("\n");
}

const COUNTS = ["prompt_tokens", "completion_tokens", "cached_tokens"];

/** `cached_tokens` are a part of `prompt_tokens`. */
export function usageOf(step: JsonObject): TokenUsage {
  const [prompt, outputTokens, cached] = COUNTS.map((name) => countField(objectField(step, "metrics"), name));
  const cacheReadTokens = Math.min(cached!, prompt!);
  return {
    inputTokens: prompt! - cacheReadTokens,
    outputTokens: outputTokens!,
    cacheReadTokens,
    cacheWriteTokens: 0,
  };
}

/** Whether a token count is none. */
export function hasOddUsage(step: JsonObject): boolean {
  return COUNTS.some((name) => isOddCount(objectField(step, "metrics"), name));
}

/** In US dollars, as it is recorded. */
export function costOf(step: JsonObject): number | undefined {
  const { cost_usd: cost } = objectField(step, "metrics");
  return typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? cost : undefined;
}

/** What `final_metrics` are made of: tokens in, out and cached, and US dollars. */
export type Totals = readonly number[];

export function totalsOf(step: JsonObject): Totals {
  const counts = COUNTS.map((name) => countField(objectField(step, "metrics"), name));
  return [...counts, costOf(step) ?? 0];
}

export function sumOf(totals: readonly Totals[]): Totals {
  return totals.reduce((sum, one) => sum.map((value, i) => value + one[i]!), [0, 0, 0, 0]);
}

/** What the steps of embedded trajectories sum up to, those embedded in them included. */
export function totalsWithin(trajectory: JsonObject): Totals {
  return sumOf(
    objectsIn(trajectory[SUBAGENTS]).flatMap((one) => {
      const own = objectsIn(one[STEPS]).filter((step) => !isCopied(step));
      return [...own.map(totalsOf), totalsWithin(one)];
    }),
  );
}

/** Whether `final_metrics` state that sum, as far as they state anything. */
export function statesSum(stated: JsonObject, sum: Totals): boolean {
  const names = [...COUNTS, "cost_usd"];
  return names.every((name, i) => {
    const value = stated[`total_${name}`];
    return typeof value !== "number" || Math.abs(value - sum[i]!) <= 1e-6 * Math.max(1, sum[i]!);
  });
}
