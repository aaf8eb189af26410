import type { TokenUsage } from "../usage/token-usage.js";

/**
 * The parts of a session that its numbers are computed from: read once from the trace, and passed to each function of this folder.
 * Instants are milliseconds since the epoch; `stepId`s are the ids of trace rows; the `agentId` `""` is the main agent.
 */
export interface SessionSteps {
  /** The first and the last recorded instant. */
  readonly from: number;
  readonly to: number;
  readonly turns: readonly Turn[];
  /** In the order of the trace, like all of these. */
  readonly calls: readonly ModelCall[];
  readonly tools: readonly ToolCall[];
  readonly agents: readonly Agent[];
  readonly compactions: readonly Compaction[];
  /** Instants at which something that a person has to do began: `input.waiting` and the like. */
  readonly waits: readonly Wait[];
  /** Errors that are separate events, such as a failed attempt to call a model. */
  readonly errors: readonly ErrorEvent[];
}

/** Maximum length of a list in a summary or a comparison. */
export const MOST_LISTED = 50;

interface Step {
  readonly stepId: string;
  readonly agentId: string;
  readonly at: number;
  /** Not before `at`. Of a step whose end is not recorded, the instant of what shows that it had ended, or the last one of the session. */
  readonly endAt: number;
  /** The error, in a line. */
  readonly error: string | undefined;
}

export interface Turn extends Step {
  /** True if a person wrote the prompt, or, for a sub-agent, if another agent called it. */
  readonly isAsked: boolean;
  /** The prompt, in a line; `""` if it is not recorded. */
  readonly prompt: string;
}

/** A call of a model. */
export interface ModelCall extends Step {
  readonly turnId: string | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  /** The vendor's counts; absent if nothing is recorded, as for a failed call. */
  readonly usage: TokenUsage | undefined;
  /** US dollars, where whoever recorded the call knew them. */
  readonly recordedUsd: number | undefined;
  /** The vendor's id of the answer. */
  readonly messageId: string | undefined;
  /** Of its system prompt and tools, where they are recorded: equal for equal ones. */
  readonly givenHash: number | undefined;
  /** The id of its end, where that is recorded. */
  readonly endId: string | undefined;
  /** Number of characters of its answer, as far as the trace shows it: texts, thoughts and tool inputs. */
  readonly answerSize: number;
}

/** A call of a tool. */
export interface ToolCall extends Step {
  readonly turnId: string | undefined;
  /** The model call that requested it. */
  readonly modelCallId: string | undefined;
  /** The vendor's id; `""` if it is not recorded. */
  readonly toolCallId: string;
  readonly name: string;
  /** The subject, in a line: a command, a file, a query. */
  readonly subject: string;
  /** The files that it names. */
  readonly paths: readonly string[];
  /** Equal for equal inputs; `undefined` where no input is recorded. */
  readonly inputHash: number | undefined;
  /** Equal for equal results; `undefined` without a result. */
  readonly outputHash: number | undefined;
  /** Characters of JSON. */
  readonly outputSize: number;
  /** A person refused it: no error of the tool. */
  readonly isRefused: boolean;
  /** It asks a person something: its time is theirs. */
  readonly asksPerson: boolean;
  /** The agents that it spawned, or gave more to do. */
  readonly spawned: readonly string[];
  /** True if its end is recorded. */
  readonly isEnded: boolean;
}

/** A sub-agent. */
export interface Agent extends Step {
  readonly name: string;
  readonly parentAgentId: string;
  /** True if its end is recorded. */
  readonly isEnded: boolean;
}

/** The context was made smaller. */
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
  /** Milliseconds until the next attempt, where the event says it; else 0. */
  readonly waitMs: number;
}
