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
import { textsIn } from "../../transcripts/recorder/parts.js";

/** Names of the Agent Trajectory Interchange Format (Harbor's RFC 0001, 1.4 to 1.8), for readers and writers. */
const SCHEMA = "ATIF-v";

export const STEPS = "steps";
export const SUBAGENTS = "subagent_trajectories";
export const REFERENCE = "subagent_trajectory_ref";
export const CONTINUED = "continued_trajectory_ref";

/** Such as `1.7`; `undefined` for an invalid version. */
export function versionOf(trajectory: JsonObject): string | undefined {
  const written = textField(trajectory, "schema_version");
  return written?.startsWith(SCHEMA) ? written.slice(SCHEMA.length) : undefined;
}

/** Other records are a trajectory, or its members before or after its steps. */
export function isStep(record: JsonObject): boolean {
  return record.source !== undefined || record.step_id !== undefined;
}

/** An earlier document already counts it. */
export function isCopied(step: JsonObject): boolean {
  return step.is_copied_context === true;
}

/** False for a step that the harness created by itself. */
export function isModelCall({ source, llm_call_count: calls }: JsonObject): boolean {
  return source === "agent" && calls !== 0;
}

export function referencesIn(results: readonly JsonObject[]): readonly JsonObject[] {
  return results.flatMap((result) => objectsIn(result[REFERENCE]));
}

export function agentIdOf(reference: JsonObject): string | undefined {
  const { trajectory_id: id, trajectory_path: file } = reference;
  const named = textField({ id }, "id") ?? textField({ file }, "file")?.replace(/\.json$/, "");
  return named ?? textField(reference, "session_id");
}

export function purposeOf(reference: JsonObject | undefined): string | undefined {
  return textField(objectField(reference ?? {}, "extra"), "summary");
}

/** False: calls and results are displayed unchanged. */
export function isRegular({ tool_calls: calls, observation = { results: [] } }: JsonObject): boolean {
  if (calls !== undefined && !isList(calls)) return false;
  return (
    isJsonObject(observation) &&
    Object.keys(observation).every((name) => name === "results" && isList(observation[name]))
  );
}

const isList = (value: unknown) => Array.isArray(value) && value.every(isJsonObject);

/** By the mark of 1.7, or by the names that Harbor's Terminus uses for the agents that summarized. */
export function isCompaction(step: JsonObject): boolean {
  const { type } = objectField(objectField(step, "extra"), "context_management");
  if (type !== undefined) return type === "compaction";
  return referencesIn(resultsOfStep(step)).some((one) => /summarization-\d/.test(agentIdOf(one) ?? ""));
}

/** The format has no member for it: adapters of Harbor mark failed calls in this way, and this project also refused calls. */
export function outcomeOf({ call, results }: StepCall, step: JsonObject): "completed" | "failed" | "refused" {
  const isAlone = objectsIn(step.tool_calls).length === 1;
  const notes = [call, ...results, ...(isAlone ? [step] : [])].map((owner) => objectField(owner, "extra"));
  if (notes.some(({ refused }) => refused === true)) return "refused";
  const isFailed = notes.some(
    ({ is_error, tool_result_is_error }) => is_error === true || tool_result_is_error === true,
  );
  return isFailed ? "failed" : "completed";
}

/** This project's own mark. */
export function isError(step: JsonObject): boolean {
  return objectField(step, "extra").is_error === true && resultsOfStep(step).length === 0;
}

/** This project's own mark. */
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

export function hasOddUsage(step: JsonObject): boolean {
  return COUNTS.some((name) => isOddCount(objectField(step, "metrics"), name));
}

/** US dollars, as recorded. */
export function costOf(step: JsonObject): number | undefined {
  const { cost_usd: cost } = objectField(step, "metrics");
  return typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? cost : undefined;
}

/** Members of `final_metrics`: input, output and cached tokens, and US dollars. */
export type Totals = readonly number[];

export function totalsOf(step: JsonObject): Totals {
  const counts = COUNTS.map((name) => countField(objectField(step, "metrics"), name));
  return [...counts, costOf(step) ?? 0];
}

export function sumOf(totals: readonly Totals[]): Totals {
  return totals.reduce((sum, one) => sum.map((value, i) => value + one[i]!), [0, 0, 0, 0]);
}

/** Includes nested trajectories. */
export function totalsWithin(trajectory: JsonObject): Totals {
  return sumOf(
    objectsIn(trajectory[SUBAGENTS]).flatMap((one) => {
      const own = objectsIn(one[STEPS]).filter((step) => !isCopied(step));
      return [...own.map(totalsOf), totalsWithin(one)];
    }),
  );
}

/** Absent members of `final_metrics` match. */
export function statesSum(stated: JsonObject, sum: Totals): boolean {
  const names = [...COUNTS, "cost_usd"];
  return names.every((name, i) => {
    const value = stated[`total_${name}`];
    return typeof value !== "number" || Math.abs(value - sum[i]!) <= 1e-6 * Math.max(1, sum[i]!);
  });
}
