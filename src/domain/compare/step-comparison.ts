/**
 * Aligned steps of two sessions: a part of the answer of a comparison. Pairs begin with the first session's value. Times are
 * milliseconds, money is in US dollars.
 */
export interface StepComparison {
  readonly counts: readonly [number, number];
  readonly same: number;
  readonly changed: number;
  readonly alone: readonly [number, number];
  /**
   * True if both differ too much for the smallest set of changes. Such a region is aligned by texts that occur once in both, by turns,
   * and by parts.
   */
  readonly isApproximate: boolean;
  readonly used: readonly [StepUse, StepUse];
  /** In their order; at most 1,000. */
  readonly divergences: readonly Divergence[];
  readonly divergenceCount: number;
  readonly rowCount: number;
  /** The requested rows, among the first 50,000. */
  readonly rows: readonly StepRow[];
}

export interface StepUse {
  /** Work of the main agent, with waits for tools and sub-agents; parallel steps share it. */
  readonly ms: number;
  /** For the model calls of the step, and of its sub-agents. */
  readonly usd: number;
  /** Number of model calls without a price. Absent if all have one. */
  readonly unpricedCalls?: number;
}

export const NO_USE: StepUse = { ms: 0, usd: 0 };

export function addUse(a: StepUse, b: StepUse): StepUse {
  const unpricedCalls = (a.unpricedCalls ?? 0) + (b.unpricedCalls ?? 0);
  return { ms: a.ms + b.ms, usd: a.usd + b.usd, ...(unpricedCalls > 0 ? { unpricedCalls } : {}) };
}

/**
 * - `changed`: one kind, different contents.
 * - `first`, `second`: in one session alone.
 */
type StepRelation = "same" | "changed" | "first" | "second";

export interface StepRow {
  readonly relation: StepRelation;
  /** `null` for a session without a step here. */
  readonly sides: readonly [ComparedStep | null, ComparedStep | null];
  readonly differs?: readonly StepPart[];
  readonly until: readonly [StepUse, StepUse];
}

export type StepPart = "text" | "result";

/**
 * - `prompt`: text of a person.
 * - `answer`: text of the model.
 * - `tool`: a tool call with its result.
 * - `result`: a result without a recorded call.
 * - `system`, `summary`: instructions for the agent, and the remainder of a compaction.
 */
export type StepKind = "prompt" | "answer" | "tool" | "result" | "system" | "summary";

export interface ComparedStep extends StepUse {
  readonly index: number;
  readonly kind: StepKind;
  readonly toolName?: string;
  /** The text or the tool's input in one line: at most 300 characters, 120 if it is equal in both. */
  readonly text: string;
  /** In one line, with the same limits. Absent without a result, and for equal results. */
  readonly result?: string;
  readonly error?: string;
  /** In the conversation. Absent if only a model call records it. */
  readonly messageIndex?: number;
  readonly stepId?: string;
  readonly at?: string;
}

export interface Divergence {
  readonly row: number;
  readonly rows: number;
  /** First step of each session; `null` without one. */
  readonly sides: readonly [DivergingStep | null, DivergingStep | null];
  readonly used: readonly [StepUse, StepUse];
  readonly before: readonly [StepUse, StepUse];
}

/** At most 80 characters of text. */
export type DivergingStep = Pick<ComparedStep, "index" | "kind" | "toolName" | "text">;
