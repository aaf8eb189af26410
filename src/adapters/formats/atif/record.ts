import { objectsIn, resultsOfStep, type StepCall } from "../../../domain/conversation/trajectory-steps.js";
import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import type { TokenUsage } from "../../../domain/usage/token-usage.js";
import { textsIn } from "../../transcripts/parts.js";

/**
 * The names of the Agent Trajectory Interchange Format (Harbor's RFC 0001, 1.4 to 1.8), and what they mean: for whoever reads
 * trajectories, or writes them.
 */
const SCHEMA = "ATIF-v";

/** Members of a trajectory that contain records, and members by which a trajectory refers to another. */
export const STEPS = "steps";
export const SUBAGENTS = "subagent_trajectories";
export const REFERENCE = "subagent_trajectory_ref";
export const CONTINUED = "continued_trajectory_ref";

/** Returns the version of a trajectory, such as `1.7`; `undefined` for an invalid version. */
export function versionOf(trajectory: JsonObject): string | undefined {
  const written = textField(trajectory, "schema_version");
  return written?.startsWith(SCHEMA) ? written.slice(SCHEMA.length) : undefined;
}

/** True for a step; otherwise the record is a trajectory, or its members before or after its steps. */
export function isStep(record: JsonObject): boolean {
  return record.source !== undefined || record.step_id !== undefined;
}

/** Repeated from an earlier document: it is counted there. */
export function isCopied(step: JsonObject): boolean {
  return step.is_copied_context === true;
}

/** True if the step is an answer of a model: the harness may have created it by itself. */
export function isModelCall({ source, llm_call_count: calls }: JsonObject): boolean {
  return source === "agent" && calls !== 0;
}

/** The trajectories that a step's results name: sub-agents. */
export function referencesIn(results: readonly JsonObject[]): readonly JsonObject[] {
  return results.flatMap((result) => objectsIn(result[REFERENCE]));
}

/** Returns the agent id in a reference to a sub-agent. */
export function agentIdOf(reference: JsonObject): string | undefined {
  const { trajectory_id: id, trajectory_path: file } = reference;
  const named = textField({ id }, "id") ?? textField({ file }, "file")?.replace(/\.json$/, "");
  return named ?? textField(reference, "session_id");
}

/** Returns the purpose of a sub-agent, as stated in its reference. */
export function purposeOf(reference: JsonObject | undefined): string | undefined {
  return textField(objectField(reference ?? {}, "extra"), "summary");
}

/** True if the calls and results of a step have the expected form; others are displayed unchanged. */
export function isRegular({ tool_calls: calls, observation = { results: [] } }: JsonObject): boolean {
  if (calls !== undefined && !isList(calls)) return false;
  return (
    isJsonObject(observation) &&
    Object.keys(observation).every((name) => name === "results" && isList(observation[name]))
  );
}

const isList = (value: unknown) => Array.isArray(value) && value.every(isJsonObject);

/**
 * True if a system step reports a compaction: as marked by 1.7, or by the names that Harbor's Terminus uses for the agents that
 * summarized.
 */
export function isCompaction(step: JsonObject): boolean {
  const { type } = objectField(objectField(step, "extra"), "context_management");
  if (type !== undefined) return type === "compaction";
  return referencesIn(resultsOfStep(step)).some((one) => /summarization-\d/.test(agentIdOf(one) ?? ""));
}

/**
 * Returns the outcome of a call. The format itself has no member for it: adapters of Harbor mark a failed call in this way, and this
 * project also a call that a person refused.
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

/** True if a system step reports an error, as this project writes it. */
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

/** True if a token count is invalid. */
export function hasOddUsage(step: JsonObject): boolean {
  return COUNTS.some((name) => isOddCount(objectField(step, "metrics"), name));
}

/** In US dollars, as it is recorded. */
export function costOf(step: JsonObject): number | undefined {
  const { cost_usd: cost } = objectField(step, "metrics");
  return typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? cost : undefined;
}

/** The members of `final_metrics`: input, output and cached tokens, and US dollars. */
export type Totals = readonly number[];

export function totalsOf(step: JsonObject): Totals {
  const counts = COUNTS.map((name) => countField(objectField(step, "metrics"), name));
  return [...counts, costOf(step) ?? 0];
}

export function sumOf(totals: readonly Totals[]): Totals {
  return totals.reduce((sum, one) => sum.map((value, i) => value + one[i]!), [0, 0, 0, 0]);
}

/** Returns the sums of the steps of embedded trajectories, including trajectories embedded in them. */
export function totalsWithin(trajectory: JsonObject): Totals {
  return sumOf(
    objectsIn(trajectory[SUBAGENTS]).flatMap((one) => {
      const own = objectsIn(one[STEPS]).filter((step) => !isCopied(step));
      return [...own.map(totalsOf), totalsWithin(one)];
    }),
  );
}

/** True if `final_metrics` state this sum, as far as they state anything. */
export function statesSum(stated: JsonObject, sum: Totals): boolean {
  const names = [...COUNTS, "cost_usd"];
  return names.every((name, i) => {
    const value = stated[`total_${name}`];
    return typeof value !== "number" || Math.abs(value - sum[i]!) <= 1e-6 * Math.max(1, sum[i]!);
  });
}
