/**
 * The errors of a session by cause: an answer of the API, which the page also computes from a loaded trace. A refusal by a person is not
 * an error. Durations are milliseconds, money is US dollars; `stepId`s are ids of trace rows.
 */
export interface Diagnosis {
  /** As in the list of sessions. Each error belongs to one cause, or to one consequence of a cause. */
  readonly errors: number;
  readonly causeCount: number;
  /** At most 50: first those that ended a turn, then those without a recovery, then the most frequent ones. */
  readonly causes: readonly DiagnosedCause[];
  readonly unlistedErrors: number;
  /** At most 20: runs of equal, successful calls with the same result. */
  readonly loops: readonly DiagnosedLoop[];
}

/** Errors of one tool, or of models and turns, with the same text, except for ids, paths and numbers. */
export interface ErrorGroup {
  /** The common text. */
  readonly cause: string;
  readonly kind: FailedKind;
  /** Of the tool, the model or the agent; `""` without a recorded name, and for several names. */
  readonly name: string;
  readonly count: number;
  readonly first: ErrorPlace;
  /** They add up to `count`. */
  readonly outcomes: ErrorOutcomes;
  /** Duration of the failed calls, plus the waits for the next attempts. */
  readonly ms: number;
  /** Tokens of the failed model calls, or of those that requested the failed calls. A call with several tools counts by its share. */
  readonly tokens: number;
  readonly usd: number;
  readonly unpricedTokens: number;
  /** Errors without a recorded model call or its usage; `tokens` does not include them. */
  readonly uncountedErrors: number;
}

/** `bookkeeping` is a record of the runtime, such as a hook. */
export type FailedKind = "tool" | "model" | "agent" | "turn" | "bookkeeping" | "other";

export interface DiagnosedCause extends ErrorGroup {
  /** True if the text names another cause that is not recorded. */
  readonly isRootUnknown: boolean;
  /** Highest number of equal failed calls: 1 if all inputs differ. */
  readonly sameCall: number;
  /** Longest run of calls with the same input, without another tool between them; a loop from 3 on. */
  readonly inARow: number;
  /** At most 10 groups of errors that name these as their cause; the most frequent ones first. */
  readonly consequences: readonly ErrorGroup[];
}

export interface ErrorPlace {
  readonly stepId: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Number of the turn of its agent, from 1. Absent outside of turns. */
  readonly turn?: number;
  readonly turnStepId?: string;
}

export interface ErrorOutcomes {
  /** The same call, or another one of the same file, succeeded later; for a model call, the next one. */
  readonly retried: number;
  /** The agent continued, and its turn ended without an error. */
  readonly continued: number;
  /** The agent continued, but its turn ended in an error. */
  readonly notRecovered: number;
  /** No call succeeded afterwards in its turn. An answer after a failed tool call may only report it. */
  readonly endedTurn: number;
  /** Neither the end of its turn nor a later step is recorded. */
  readonly unknown: number;
}

export interface DiagnosedLoop {
  readonly name: string;
  readonly subject: string;
  readonly times: number;
  readonly ms: number;
  readonly first: ErrorPlace;
}
