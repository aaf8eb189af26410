/**
 * The steps of two sessions, lined up: a part of the answer of a comparison. What has two values has the first session's first. Times are
 * milliseconds, money is in US dollars: what has a price.
 */
export interface StepComparison {
  /** How many steps each of the main agents took. */
  readonly counts: readonly [number, number];
  /** Pairs that say the same, and pairs of one kind that do not. */
  readonly same: number;
  readonly changed: number;
  /** Steps that the other session has none for. */
  readonly alone: readonly [number, number];
  /**
   * Whether the two differ too much in some place for the fewest changes to be found: there they are lined up by what occurs once in
   * both, turn by turn, and part by part.
   */
  readonly isApproximate: boolean;
  readonly used: readonly [StepUse, StepUse];
  /** Where the two part, in their order; at most 1,000. */
  readonly divergences: readonly Divergence[];
  readonly divergenceCount: number;
  /** How many rows there are: pairs, and steps that stand alone. */
  readonly rowCount: number;
  /** Those that were asked for, of the first 50,000. */
  readonly rows: readonly StepRow[];
}

/** What steps took. */
export interface StepUse {
  /** While the main agent worked on it, waiting for tools and sub-agents included; steps at the same time share it. */
  readonly ms: number;
  /** The model calls that made it, and those of the sub-agents that it called. */
  readonly usd: number;
  /** How many of these calls have no price. Absent where all have one. */
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
export type StepRelation = "same" | "changed" | "first" | "second";

export interface StepRow {
  readonly relation: StepRelation;
  /** `null` of the session that has none here. */
  readonly sides: readonly [ComparedStep | null, ComparedStep | null];
  /** What a change is in. Absent of other rows. */
  readonly differs?: readonly StepPart[];
  /** What each session took up to here, this row included. */
  readonly until: readonly [StepUse, StepUse];
}

/** `text` is what is said, or what a tool is called with. */
export type StepPart = "text" | "result";

/**
 * - `prompt`: what a person said. - `answer`: what the model said. - `tool`: a call of a tool, with its result. - `result`: a result of which
 *   the call is not recorded. - `system`, `summary`: what the agent was told, and what a compaction left.
 */
export type StepKind = "prompt" | "answer" | "tool" | "result" | "system" | "summary";

/** A step of a main agent. */
export interface ComparedStep extends StepUse {
  /** Its place among the steps of its session. */
  readonly index: number;
  readonly kind: StepKind;
  /** Of a tool call. */
  readonly toolName?: string;
  /** In a line, at most 300 characters, 120 where both say the same: what is said, or what a tool is called with. */
  readonly text: string;
  /** What a tool gave back, likewise. Absent where there is none, and where both say the same. */
  readonly result?: string;
  /** What went wrong with a tool call, in a line. */
  readonly error?: string;
  /** Of its message, in the conversation. Absent where it is recorded on a model call alone. */
  readonly messageIndex?: number;
  /** The row of the trace that it is of. Absent where that is not known. */
  readonly stepId?: string;
  /** When it began. Absent where that is not known. */
  readonly at?: string;
}

/** A pair that does not say the same, or steps in a row that stand alone. */
export interface Divergence {
  /** The first row of it, and how many it has. */
  readonly row: number;
  readonly rows: number;
  /** The first step of each session; `null` where it has none there. */
  readonly sides: readonly [DivergingStep | null, DivergingStep | null];
  /** What its steps took. */
  readonly used: readonly [StepUse, StepUse];
  /** What all steps before it took. */
  readonly before: readonly [StepUse, StepUse];
}

/** The text is at most 80 characters. */
export type DivergingStep = Pick<ComparedStep, "index" | "kind" | "toolName" | "text">;
