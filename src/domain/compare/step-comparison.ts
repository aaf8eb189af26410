/**
 * The steps of two sessions, lined up: a part of the answer of a comparison. What has two values has the first session's first. Times are
 * milliseconds, money is in US dollars: what has a price.
 */
export interface StepComparison {
  /** Number of steps of each main agent. */
  readonly counts: readonly [number, number];
  /** Pairs that say the same, and pairs of one kind that do not. */
  readonly same: number;
  readonly changed: number;
  /** Steps that the other session has none for. */
  readonly alone: readonly [number, number];
  /**
   * True if the two differ too much for the smallest set of changes. Such a region is aligned by texts that occur once in both, turn by
   * turn, and part by part.
   */
  readonly isApproximate: boolean;
  readonly used: readonly [StepUse, StepUse];
  /** The differences, in their order; at most 1,000. */
  readonly divergences: readonly Divergence[];
  readonly divergenceCount: number;
  /** Number of rows: pairs, and single steps. */
  readonly rowCount: number;
  /** The requested rows, among the first 50,000. */
  readonly rows: readonly StepRow[];
}

/** Time and tokens of steps. */
export interface StepUse {
  /** While the main agent worked on it, waiting for tools and sub-agents included; steps at the same time share it. */
  readonly ms: number;
  /** The model calls that made it, and those of the sub-agents that it called. */
  readonly usd: number;
  /** Number of these calls without a price. Absent if all have one. */
  readonly unpricedCalls?: number;
}

export const NO_USE: StepUse = { ms: 0, usd: 0 };

export function addUse(a: StepUse, b: StepUse): StepUse {
  const unpricedCalls = (a.unpricedCalls ?? 0) + (b.unpricedCalls ?? 0);
  return { ms: a.ms + b.ms, usd: a.usd + b.usd, ...(unpricedCalls > 0 ? { unpricedCalls } : {}) };
}

/**
 * - `same`: both say the same.
 * - `changed`: both are of one kind, and say something else.
 * - `first`, `second`: of one session alone.
 */
type StepRelation = "same" | "changed" | "first" | "second";

export interface StepRow {
  readonly relation: StepRelation;
  /** `null` of the session that has none here. */
  readonly sides: readonly [ComparedStep | null, ComparedStep | null];
  /** The parts that changed. Absent for other rows. */
  readonly differs?: readonly StepPart[];
  /** Use of each session up to this row, including it. */
  readonly until: readonly [StepUse, StepUse];
}

/** `text` is the text of the step, or the input of a tool. */
export type StepPart = "text" | "result";

/**
 * - `prompt`: text of a person.
 * - `answer`: text of the model.
 * - `tool`: a tool call with its result.
 * - `result`: a result without a recorded call.
 * - `system`, `summary`: instructions for the agent, and the remainder of a compaction.
 */
export type StepKind = "prompt" | "answer" | "tool" | "result" | "system" | "summary";

/** A step of a main agent. */
export interface ComparedStep extends StepUse {
  /** Its place among the steps of its session. */
  readonly index: number;
  readonly kind: StepKind;
  /** Of a tool call. */
  readonly toolName?: string;
  /** The text or the tool's input in a line: at most 300 characters, 120 if both sessions have the same. */
  readonly text: string;
  /** The result of a tool, likewise. Absent without a result, and if both results are equal. */
  readonly result?: string;
  /** The error of a tool call, in a line. */
  readonly error?: string;
  /** Of its message, in the conversation. Absent where it is recorded on a model call alone. */
  readonly messageIndex?: number;
  /** Its row in the trace. Absent if there is no such row. */
  readonly stepId?: string;
  /** Its start. Absent if it is not recorded. */
  readonly at?: string;
}

/** A pair that does not say the same, or steps in a row that stand alone. */
export interface Divergence {
  /** The first row of it, and how many it has. */
  readonly row: number;
  readonly rows: number;
  /** The first step of each session; `null` where it has none there. */
  readonly sides: readonly [DivergingStep | null, DivergingStep | null];
  /** Use of its steps. */
  readonly used: readonly [StepUse, StepUse];
  /** Use of all steps before it. */
  readonly before: readonly [StepUse, StepUse];
}

/** The text is at most 80 characters. */
export type DivergingStep = Pick<ComparedStep, "index" | "kind" | "toolName" | "text">;
