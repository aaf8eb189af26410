import { countOf } from "../json/json.js";
import type { Cost } from "../usage/money.js";

/**
 * - `error`: the newest run or turn ended in an error.
 * - `waiting`: a person was asked something (a question, whether a plan is good, a permission), and nothing that was recorded since has
 *   answered it. It does not expire.
 * - `running`: a run or turn was begun and not ended, and the session was active within the last five minutes, or a tool call that was
 *   not ended said that it may take until now.
 * - `idle`: everything else.
 */
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** All of them, in the order in which they are named to people. */
export const SESSION_STATUSES = ["idle", "running", "waiting", "error"] as const;

/** Tokens by class. `inputTokens` are those that no cache served. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Those of `cacheWriteTokens` that were written for an hour, where it is recorded: they cost more. */
  readonly cacheWrite1hTokens?: number;
}

/** The classes whose sum is all tokens. */
export type TokenClass = "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens";

/** One element of `sessions` in the session list. */
export interface InspectorSessionItem {
  readonly tenantId: string;
  readonly sessionId: string;
  /** `""` when no user was recorded. */
  readonly userId: string;
  /** The newest instant recorded for the session: ISO 8601, UTC, with milliseconds. */
  readonly lastActive: string;
  readonly turns: number;
  /** All that the models read and wrote: the sum of the four classes of {@link TokenUsage}. 0 also where nobody counted, as `usage` says. */
  readonly tokens: number;
  readonly status: SessionStatus;
  readonly title?: string;
  readonly agentId?: string;
  /** The folder of the user's machine that the agent worked in, as the session recorded it first. */
  readonly directory?: string;
  readonly createdAt?: string;
  /** Absent where no token counts are recorded: what its models read and wrote is not known then, if any was called. */
  readonly usage?: TokenUsage;
  /**
   * How many calls failed, those of sub-agents included: what a viewer counts in the trace. What failed because of something in it
   * is no second error. Absent where it is not known without reading the trace.
   */
  readonly errors?: number;
  /** The model of the newest call of the main agent, as recorded. Absent where none is known. */
  readonly model?: string;
  /** The models of all calls that were counted, sub-agents' included, in no order. Absent where nobody knows them all. */
  readonly models?: readonly string[];
  /** What a person asked first, in one line of at most 300 UTF-16 code units. Absent where the title says it, or nobody knows. */
  readonly prompt?: string;
  /** What the main agent said last, in such a line: no thoughts, no tool calls. Absent where it said nothing, or nobody knows. */
  readonly lastAnswer?: string;
  /** What a person is asked, in such a line: of a `waiting` session, where its history says it. */
  readonly waitingFor?: string;
  /** What its model calls cost, all agents' together. Absent where that is not known: it is not 0. */
  readonly cost?: Cost;
  /**
   * How many records of the session could not be read, or not as they are stored, as far as the list has read it. Absent where
   * it knows of none. The lists of the session name them.
   */
  readonly warnings?: number;
  /** What the recorder called the run: names of an experiment, a version, a customer. Absent where it gave none. */
  readonly labels?: readonly string[];
  /** Which one of several sources it is of, as people call it. Absent where there is one only. */
  readonly source?: string;
}

export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** Usage whose counts nobody has checked: what is missing, or no number, counts as 0. */
export function usageOf(usage: { readonly [Class in keyof TokenUsage]?: unknown }): TokenUsage {
  const cacheWriteTokens = countOf(usage.cacheWriteTokens);
  const cacheWrite1hTokens = Math.min(countOf(usage.cacheWrite1hTokens), cacheWriteTokens);
  const inputTokens = countOf(usage.inputTokens);
  const outputTokens = countOf(usage.outputTokens);
  const cacheReadTokens = countOf(usage.cacheReadTokens);
  // Spelled out twice: to spread an object is slow, and there are as many as calls.
  if (cacheWrite1hTokens === 0) return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens };
}

/** The sum of two; a class that leaves the range of counts stays at its end. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return usageOf({
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    cacheWrite1hTokens: (a.cacheWrite1hTokens ?? 0) + (b.cacheWrite1hTokens ?? 0),
  });
}

/** Whether no tokens of a session are counted: nobody knows how many they are, and 0 says nothing of them. */
export function hasNoCounts({ tokens, usage }: Pick<InspectorSessionItem, "tokens" | "usage">): boolean {
  return tokens === 0 && usage === undefined;
}

/** All classes together, within the range of counts. */
export function totalTokens(usage: TokenUsage): number {
  return countOf(usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens);
}

/** What the list is sorted by: newest activity first, then tenant, then session. */
export type SessionSortKey = Pick<InspectorSessionItem, "lastActive" | "tenantId" | "sessionId">;

export function compareSessions(a: SessionSortKey, b: SessionSortKey): number {
  return (
    -compareText(a.lastActive, b.lastActive) ||
    compareText(a.tenantId, b.tenantId) ||
    compareText(a.sessionId, b.sessionId)
  );
}

/** By UTF-16 code units: the same on every machine, unlike a locale's order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
