/**
 * Activity of a session by quarter hours, as plain columns: the values at one index are a row. Names are indexes in `models`, `roles`,
 * `tools`, `causes`; after `MOST_NAMES`, further names count as `""`.
 */
export interface SessionFacts {
  readonly models: readonly FactsModel[];
  /** Roles of sub-agents; the main agent is `""`. */
  readonly roles: readonly string[];
  readonly tools: readonly string[];
  /** Error texts by `causeOf`. */
  readonly causes: readonly string[];
  readonly usage: UsageColumns;
  readonly toolUse: ToolUseColumns;
  readonly durations: DurationColumns;
  readonly carried: CarriedColumns;
  readonly failures: FailureColumns;
  readonly activity: ActivityColumns;
  /** The calls with the highest estimated cost, at most `MOST_CALLS`. */
  readonly largestCalls: readonly FactsCall[];
  /** At most `MOST_FILES` of each. */
  readonly edited: readonly string[];
  readonly read: readonly string[];
  readonly agents: number;
  readonly compactions: number;
}

/** Milliseconds. A day begins with such a quarter in every time zone. */
export const QUARTER_MS = 900_000;

export const MOST_NAMES = 200;
export const MOST_FILES = 1_000;
export const MOST_CALLS = 3;

/** A model as recorded; `""` where calls name none. */
export interface FactsModel {
  readonly model: string;
  readonly provider?: string;
}

/** A quarter is the instant of its beginning divided by {@link QUARTER_MS}. */
type Columns<Names extends readonly string[]> = { readonly [Column in Names[number]]: readonly number[] };

export const USAGE_COLUMNS = [
  "quarter",
  "model",
  "role",
  "calls",
  "failedCalls",
  // Calls whose output count is the placeholder from the start of their stream.
  "placeholderCalls",
  // The longest context: the price depends on it.
  "contextTokens",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  // Part of `cacheWriteTokens`.
  "cacheWrite1hTokens",
  // Recorded cost in US dollars; -1 if a price list is needed.
  "recordedUsd",
] as const;
type UsageColumns = Columns<typeof USAGE_COLUMNS>;

/** The quarter is that of the start. `failures` exclude refused calls; `resultTokens` are an estimate. */
export const TOOL_USE_COLUMNS = ["quarter", "tool", "calls", "failures", "refused", "resultTokens"] as const;
type ToolUseColumns = Columns<typeof TOOL_USE_COLUMNS>;

/** `length` is a class by `durationClass`. */
export const DURATION_COLUMNS = ["quarter", "tool", "length", "calls"] as const;
type DurationColumns = Columns<typeof DURATION_COLUMNS>;

/** The quarter is that of the model call that read the results. */
export const CARRIED_COLUMNS = ["quarter", "tool", "model", "firstTokens", "againTokens"] as const;
type CarriedColumns = Columns<typeof CARRIED_COLUMNS>;

/** `tool` is -1 for failures outside of tool calls. Instants are milliseconds since the epoch. */
export const FAILURE_COLUMNS = ["quarter", "cause", "tool", "count", "firstAt", "lastAt"] as const;
type FailureColumns = Columns<typeof FAILURE_COLUMNS>;

/** `minutes` has a bit for each minute of the quarter; `agents` is the number of conversations that called a model. */
export const ACTIVITY_COLUMNS = ["quarter", "minutes", "agents"] as const;
type ActivityColumns = Columns<typeof ACTIVITY_COLUMNS>;

export const FACTS_TABLES = {
  usage: USAGE_COLUMNS,
  toolUse: TOOL_USE_COLUMNS,
  durations: DURATION_COLUMNS,
  carried: CARRIED_COLUMNS,
  failures: FAILURE_COLUMNS,
  activity: ACTIVITY_COLUMNS,
} as const satisfies { readonly [Name in keyof SessionFacts]?: readonly string[] };

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
  // -1 if a price list is needed.
  "recordedUsd",
] as const;

export type FactsCall = { readonly [Member in (typeof FACTS_CALL_MEMBERS)[number]]: number };

/** Durations of one class differ by less than a fifth. */
const CLASSES_PER_DOUBLING = 4;

export function durationClass(ms: number): number {
  return ms < 1 ? 0 : 1 + Math.floor(Math.log2(ms) * CLASSES_PER_DOUBLING);
}

/** The middle of a class, in milliseconds. */
export function durationOfClass(length: number): number {
  return length === 0 ? 0 : 2 ** ((length - 0.5) / CLASSES_PER_DOUBLING);
}

export function minutesIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
