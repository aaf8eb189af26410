/**
 * Activity of a session by quarter hours, the basis for sums over many sessions and for filters. Plain data in columns, because there is
 * much of it: the values at one index of all columns are a row. Names are numbers: their indexes in `models`, `roles`, `tools`, `causes`.
 * A list has a maximum length (`MOST_NAMES`); further elements count under the name `""`.
 */
export interface SessionFacts {
  readonly models: readonly FactsModel[];
  /** Roles of sub-agents; the main agent is `""`. */
  readonly roles: readonly string[];
  readonly tools: readonly string[];
  /** Texts of errors, as `causeOf` folds them. */
  readonly causes: readonly string[];
  readonly usage: UsageColumns;
  readonly toolUse: ToolUseColumns;
  readonly durations: DurationColumns;
  readonly carried: CarriedColumns;
  readonly failures: FailureColumns;
  readonly activity: ActivityColumns;
  /** The calls that probably cost most, at most `MOST_CALLS`. */
  readonly largestCalls: readonly FactsCall[];
  /** The files that its tools changed, and those that they read: at most `MOST_FILES` of each. */
  readonly edited: readonly string[];
  readonly read: readonly string[];
  /** Number of sub-agents, and number of compactions. */
  readonly agents: number;
  readonly compactions: number;
}

/** Resolution of the facts, in milliseconds: a day begins with such a quarter in every time zone. */
export const QUARTER_MS = 900_000;

export const MOST_NAMES = 200;
export const MOST_FILES = 1_000;
export const MOST_CALLS = 3;

/** A model as recorded; `""` where calls name none. */
export interface FactsModel {
  readonly model: string;
  readonly provider?: string;
}

/** Numbers, as many in each column. A quarter is the instant of its beginning divided by {@link QUARTER_MS}. */
type Columns<Names extends readonly string[]> = { readonly [Column in Names[number]]: readonly number[] };

/** Model calls that cost alike, by who made them. */
export const USAGE_COLUMNS = [
  "quarter",
  "model",
  "role",
  "calls",
  // Of these, those that failed.
  "failedCalls",
  // Of these, those whose output count is what their stream began with.
  "placeholderCalls",
  // The longest context: what their price depends on.
  "contextTokens",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  // Of `cacheWriteTokens` those that were written for an hour.
  "cacheWrite1hTokens",
  // Recorded cost in US dollars; -1 if a price list is needed.
  "recordedUsd",
] as const;
type UsageColumns = Columns<typeof USAGE_COLUMNS>;

/**
 * Tool calls by the quarter of their start: `failures` without refused calls; the estimated tokens that their results added to contexts.
 */
export const TOOL_USE_COLUMNS = ["quarter", "tool", "calls", "failures", "refused", "resultTokens"] as const;
type ToolUseColumns = Columns<typeof TOOL_USE_COLUMNS>;

/** Durations of tool calls that ended: `length` is a class of durations, as `durationClass` numbers it. */
export const DURATION_COLUMNS = ["quarter", "tool", "length", "calls"] as const;
type DurationColumns = Columns<typeof DURATION_COLUMNS>;

/** Tool results in contexts, by the quarter of the model call that read them: for the first time, and again. */
export const CARRIED_COLUMNS = ["quarter", "tool", "model", "firstTokens", "againTokens"] as const;
type CarriedColumns = Columns<typeof CARRIED_COLUMNS>;

/**
 * Failures by cause. `tool` is -1 for failures outside of tool calls: a model call, a turn, a hook. Instants are milliseconds since the
 * epoch.
 */
export const FAILURE_COLUMNS = ["quarter", "cause", "tool", "count", "firstAt", "lastAt"] as const;
type FailureColumns = Columns<typeof FAILURE_COLUMNS>;

/** When something happened: `minutes` has a bit for each minute of the quarter, `agents` is how many conversations called a model in it. */
export const ACTIVITY_COLUMNS = ["quarter", "minutes", "agents"] as const;
type ActivityColumns = Columns<typeof ACTIVITY_COLUMNS>;

/** The tables of facts, by their members. */
export const FACTS_TABLES = {
  usage: USAGE_COLUMNS,
  toolUse: TOOL_USE_COLUMNS,
  durations: DURATION_COLUMNS,
  carried: CARRIED_COLUMNS,
  failures: FAILURE_COLUMNS,
  activity: ACTIVITY_COLUMNS,
} as const satisfies { readonly [Name in keyof SessionFacts]?: readonly string[] };

/** Numbers of one of the largest calls. */
export const FACTS_CALL_MEMBERS = [
  // Milliseconds since the epoch.
  "at",
  "model",
  "role",
  "contextTokens",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "cacheWrite1hTokens",
  // -1 where a price list has to say it.
  "recordedUsd",
] as const;

export type FactsCall = { readonly [Member in (typeof FACTS_CALL_MEMBERS)[number]]: number };

/** Durations of one class differ by less than a fifth. */
const CLASSES_PER_DOUBLING = 4;

/** @param ms below 0 is 0 */
export function durationClass(ms: number): number {
  return ms < 1 ? 0 : 1 + Math.floor(Math.log2(ms) * CLASSES_PER_DOUBLING);
}

/** The duration in the middle of a class, in milliseconds. */
export function durationOfClass(length: number): number {
  return length === 0 ? 0 : 2 ** ((length - 0.5) / CLASSES_PER_DOUBLING);
}

/** In how many minutes of a quarter something happened. */
export function minutesIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
