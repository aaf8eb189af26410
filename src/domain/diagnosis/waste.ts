import { MOST_LISTED, type SessionSteps } from "../steps/session-steps.js";
import { type AgentSteps, failedAttempts, stepsByAgent, type TimedTool } from "../time/agent-steps.js";
import { lengthOf, unionOf } from "../time/intervals.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../usage/token-usage.js";
import {
  addStep,
  type RepeatedCalls,
  type RereadFiles,
  repeatedCalls,
  rereadFiles,
} from "./repeated-calls.js";

/**
 * Failed and repeated work. Repetition is not always a mistake, so repetitions with the same result (`unchanged`) count separately. A
 * call may be in several lists.
 */
export interface Waste extends FailedSteps {
  readonly repeatedCalls: RepeatedCalls;
  readonly rereadFiles: RereadFiles;
}

export function wasteOf(steps: SessionSteps): Waste {
  return { repeatedCalls: repeatedCalls(steps), rereadFiles: rereadFiles(steps), ...failedSteps(steps) };
}

interface FailedSteps {
  readonly failedTools: ToolFailures;
  readonly refusedTools: ToolFailures;
  readonly failedModelCalls: FailedModelCalls;
}

interface ToolFailures {
  readonly calls: number;
  /** In milliseconds; for refused calls, until the person's answer. */
  readonly ms: number;
  readonly names: number;
  /** The 50 with the most such calls. */
  readonly tools: readonly ToolFailure[];
}

interface ToolFailure {
  readonly name: string;
  readonly calls: number;
  readonly ms: number;
  readonly stepIds: readonly string[];
  readonly examples: readonly FailedCall[];
}

interface FailedCall {
  readonly stepId: string;
  readonly subject: string;
  /** In one line; `""` for a refused call. */
  readonly error: string;
}

interface FailedModelCalls {
  readonly calls: number;
  /** Separately recorded errors: attempts before the successful one, and other errors that an agent reports. */
  readonly errors: number;
  readonly ms: number;
  readonly usage: TokenUsage;
  /** The first 50 calls and errors, calls first. */
  readonly stepIds: readonly string[];
}

const MOST_EXAMPLES = 3;

function failedSteps(steps: SessionSteps): FailedSteps {
  const byAgent = [...stepsByAgent(steps).values()];
  const tools = byAgent.flatMap(({ tools }) => tools);
  return {
    failedTools: failuresOf(tools.filter(({ call }) => call.error !== undefined && !call.isRefused)),
    refusedTools: failuresOf(tools.filter(({ call }) => call.isRefused)),
    failedModelCalls: failedModelCalls(steps, byAgent),
  };
}

function failuresOf(failed: readonly TimedTool[]): ToolFailures {
  const byName = new Map<string, { calls: number; ms: number; stepIds: string[]; examples: FailedCall[] }>();
  let sumMs = 0;
  for (const { call, ran } of failed) {
    const { name, stepId, subject, error = "" } = call;
    const tool = byName.get(name) ?? { calls: 0, ms: 0, stepIds: [], examples: [] };
    byName.set(name, tool);
    const ms = Math.round(ran[1]) - Math.round(ran[0]);
    sumMs += ms;
    tool.calls++;
    tool.ms += ms;
    addStep(tool.stepIds, stepId);
    if (tool.examples.length < MOST_EXAMPLES)
      tool.examples.push({ stepId, subject, error: call.isRefused ? "" : error });
  }
  const tools = [...byName].map(([name, tool]) => ({ name, ...tool }));
  return {
    calls: failed.length,
    ms: sumMs,
    names: tools.length,
    tools: tools.sort((a, b) => b.calls - a.calls).slice(0, MOST_LISTED),
  };
}

function failedModelCalls(steps: SessionSteps, agents: readonly AgentSteps[]): FailedModelCalls {
  const failed = steps.calls.filter(({ error }) => error !== undefined);
  const stepIds: string[] = [];
  for (const { stepId } of [...failed, ...steps.errors]) addStep(stepIds, stepId);
  return {
    calls: failed.length,
    errors: steps.errors.length,
    ms: agents.reduce((ms, own) => ms + lengthOf(unionOf(failedAttempts(own).failed)), 0),
    usage: failed.reduce((sum, { usage }) => (usage === undefined ? sum : addUsage(sum, usage)), NO_USAGE),
    stepIds,
  };
}
