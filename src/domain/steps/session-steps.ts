import type { TokenUsage } from "../usage/token-usage.js";

/**
 * Input of all computations in this folder, read once from the trace. Instants are milliseconds since the epoch; `stepId`s are the ids of
 * trace rows; the `agentId` `""` is the main agent.
 */
export interface SessionSteps {
  readonly from: number;
  readonly to: number;
  readonly turns: readonly Turn[];
  /** Each list is in the order of the trace. */
  readonly calls: readonly ModelCall[];
  readonly tools: readonly ToolCall[];
  readonly agents: readonly Agent[];
  readonly compactions: readonly Compaction[];
  /** Instants at which a task of a person began: `input.waiting` and the like. */
  readonly waits: readonly Wait[];
  readonly errors: readonly ErrorEvent[];
}

export const MOST_LISTED = 50;

interface Step {
  readonly stepId: string;
  readonly agentId: string;
  readonly at: number;
  /** Not before `at`. Without a recorded end, the first instant that proves the end, or the last one of the session. */
  readonly endAt: number;
  readonly error: string | undefined;
}

export interface Turn extends Step {
  /** True if a person wrote the prompt, or another agent for a sub-agent. */
  readonly isPrompt: boolean;
  /** In one line; `""` without a record. */
  readonly prompt: string;
}

export interface ModelCall extends Step {
  readonly turnId: string | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  /** The vendor's counts; `undefined` without a record, as for a failed call. */
  readonly usage: TokenUsage | undefined;
  readonly recordedUsd: number | undefined;
  readonly messageId: string | undefined;
  /** Of system prompt and tools, if they are recorded. */
  readonly inputHash: number | undefined;
  readonly endId: string | undefined;
  /** Characters of texts, thoughts and tool inputs in the trace. */
  readonly answerSize: number;
}

export interface ToolCall extends Step {
  readonly turnId: string | undefined;
  readonly modelCallId: string | undefined;
  /** The vendor's id; `""` without a record. */
  readonly toolCallId: string;
  readonly name: string;
  /** A command, a file, a query, in one line. */
  readonly subject: string;
  readonly paths: readonly string[];
  readonly inputHash: number | undefined;
  readonly outputHash: number | undefined;
  /** Characters of JSON. */
  readonly outputSize: number;
  /** A person refused it: no error of the tool. */
  readonly isRefused: boolean;
  /** The tool asks a person, whose time it takes. */
  readonly asksPerson: boolean;
  /** Agents that it spawned, or gave more work. */
  readonly spawned: readonly string[];
  readonly isEnded: boolean;
}

export interface Agent extends Step {
  readonly name: string;
  readonly parentAgentId: string;
  readonly isEnded: boolean;
}

export interface Compaction extends Step {
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
}

export interface Wait {
  readonly stepId: string;
  readonly agentId: string;
  readonly at: number;
}

export interface ErrorEvent {
  readonly stepId: string;
  readonly agentId: string;
  readonly at: number;
  readonly message: string;
  /** Milliseconds until the next attempt; 0 without a record. */
  readonly waitMs: number;
}
