/**
 * What went wrong in a session: its errors by their causes. An answer of the API, and what the page makes of a trace that it has. What
 * a person refused is no error. Durations are milliseconds, money is US dollars; `stepId`s are ids of envelopes, by which the trace
 * finds a row.
 */
export interface Diagnosis {
  /** How many errors there are, as the list of sessions counts them. Each is in one cause, or in one consequence of a cause. */
  readonly errors: number;
  /** How many causes there are. */
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
  /** How it went on after each of them: they add up to `count`. */
  readonly outcomes: ErrorOutcomes;
  /** How long the calls that failed took, and how long the next attempts were waited for; added up. */
  readonly ms: number;
  /** What the model calls that failed, or asked for what failed, read and wrote. A call that asked for several tools counts by its part. */
  readonly tokens: number;
  /** What these cost, as far as they have a price. */
  readonly usd: number;
  /** Those of `tokens` that have none. */
  readonly unpricedTokens: number;
  /** The errors of which nothing says what model call they belong to, or what it used: `tokens` are without them. */
  readonly uncountedErrors: number;
}

/** What failed. `bookkeeping` is what the runtime noted, such as a hook; `other` is what is none of these. */
export type FailedKind = "tool" | "model" | "agent" | "turn" | "bookkeeping" | "other";

export interface DiagnosedCause extends ErrorGroup {
  /** Its text says that it failed because of something else, and that is not recorded. */
  readonly isRootUnknown: boolean;
  /** How often the call that failed most often was made, with the same input: 1 where all differ. */
  readonly sameCall: number;
  /** How many of the calls came one after the other with the same input, and no other tool between: from 3 on a loop. */
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
  /** Which turn of its agent it lies in, from 1 on. Absent where it lies in none. */
  readonly turn?: number;
  readonly turnStepId?: string;
}

export interface ErrorOutcomes {
  /** The same call, or another one of the same file, succeeded later; of a model call the next one did. */
  readonly retried: number;
  /** The agent went on, and its turn did not end in an error. */
  readonly continued: number;
  /** The agent went on, and its turn ended in an error all the same. */
  readonly notRecovered: number;
  /** Nothing succeeded after it in its turn. */
  readonly endedTurn: number;
  /** The end of its turn is not recorded, and nothing after it. */
  readonly unknown: number;
}

export interface DiagnosedLoop {
  readonly name: string;
  /** What the call is about, in a line. */
  readonly subject: string;
  /** How many calls came one after the other. */
  readonly times: number;
  readonly ms: number;
  readonly first: ErrorPlace;
}
