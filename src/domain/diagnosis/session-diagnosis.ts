/**
 * The errors of a session by cause. It is an answer of the API, and the page computes it from a loaded trace. A refusal by a person is
 * not an error. Durations are milliseconds, money is US dollars; `stepId`s are ids of envelopes, which name a row of the trace.
 */
export interface Diagnosis {
  /** Number of errors, as in the list of sessions. Each error belongs to one cause, or to one consequence of a cause. */
  readonly errors: number;
  /** Number of causes. */
  readonly causeCount: number;
  /** At most 50: those that ended a turn first, then those that were not recovered from; of these the most frequent ones first. */
  readonly causes: readonly DiagnosedCause[];
  /** Errors of the causes and consequences that are not listed. */
  readonly unlistedErrors: number;
  /** At most 20 calls that were made again and again, one after the other, with the same result, and did not fail. */
  readonly loops: readonly DiagnosedLoop[];
}

/** Errors whose text is the same but for ids, paths and numbers, of one tool. */
export interface ErrorGroup {
  /** Their text without what differs. */
  readonly cause: string;
  readonly kind: FailedKind;
  /** Of the tool, the model or the agent; `""` where none is recorded, and where those of several failed. */
  readonly name: string;
  readonly count: number;
  readonly first: ErrorPlace;
  /** Outcomes of these errors; they add up to `count`. */
  readonly outcomes: ErrorOutcomes;
  /** Total duration of the failed calls, plus the waits for the next attempts. */
  readonly ms: number;
  /** Tokens of the model calls that failed, or that requested the failed call. A call that requested several tools counts by its share. */
  readonly tokens: number;
  /** Cost of these tokens, as far as they have a price. */
  readonly usd: number;
  /** Those of `tokens` that have none. */
  readonly unpricedTokens: number;
  /** Errors without a recorded model call or without its usage; `tokens` does not include them. */
  readonly uncountedErrors: number;
}

/** The kind of the failed step. `bookkeeping` is a record of the runtime, such as a hook; `other` is everything else. */
export type FailedKind = "tool" | "model" | "agent" | "turn" | "bookkeeping" | "other";

export interface DiagnosedCause extends ErrorGroup {
  /** Its text says that it failed because of something else, and that is not recorded. */
  readonly isRootUnknown: boolean;
  /** Highest number of equal failed calls: 1 if all inputs differ. */
  readonly sameCall: number;
  /** Longest run of calls with the same input and without another tool between them; a loop from 3 on. */
  readonly inARow: number;
  /** At most 10 groups of errors that say that they happened because of one of these; the most frequent ones first. */
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
  /** The same call, or another one of the same file, succeeded later; of a model call the next one did. */
  readonly retried: number;
  /** The agent continued, and its turn did not end in an error. */
  readonly continued: number;
  /** The agent continued, but its turn ended in an error. */
  readonly notRecovered: number;
  /** Nothing succeeded after it in its turn. */
  readonly endedTurn: number;
  /** The end of its turn is not recorded, and nothing after it. */
  readonly unknown: number;
}

export interface DiagnosedLoop {
  readonly name: string;
  /** The subject of the call, in a line. */
  readonly subject: string;
  /** Number of calls in a row. */
  readonly times: number;
  readonly ms: number;
  readonly first: ErrorPlace;
}
