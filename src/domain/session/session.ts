import { compareText } from "../lists/compare-text.js";
import type { Cost } from "../usage/money.js";
import type { TokenUsage } from "../usage/token-usage.js";

/**
 * - `error`: the newest run or turn ended in an error.
 * - `waiting`: a question to a person (about a choice, a plan, a permission) has no recorded answer. It does not expire.
 * - `running`: a run or turn began and did not end. The session was active within the last five minutes, or the time limit of an open
 *   tool call has not passed.
 * - `idle`: everything else.
 */
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** All statuses, in the order of their display. */
export const SESSION_STATUSES = ["idle", "running", "waiting", "error"] as const;

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
  /** Absent without recorded token counts: the use of its models is then unknown. */
  readonly usage?: TokenUsage;
  /**
   * Number of failed calls, including those of sub-agents: the same number that a viewer counts in the trace. A failure caused by a
   * failed part is not a second error. Absent if only the complete trace could tell it.
   */
  readonly errors?: number;
  /** Recorded model of the main agent's newest call. Absent without a recorded model. */
  readonly model?: string;
  /** The models of all calls that were counted, sub-agents' included, in no order. Absent where nobody knows them all. */
  readonly models?: readonly string[];
  /**
   * The first prompt of a person, in one line of at most 300 UTF-16 code units. Absent if the title repeats it, or if it is not recorded.
   */
  readonly prompt?: string;
  /** The last answer of the main agent, in such a line: no thoughts, no tool calls. Absent without an answer, or if it is not recorded. */
  readonly lastAnswer?: string;
  /** The question to a person, in such a line: for a `waiting` session whose history records it. */
  readonly waitingFor?: string;
  /** Cost of all agents' model calls. Absent if it is unknown: it is not 0 then. */
  readonly cost?: Cost;
  /**
   * Number of records of the session that could not be read, or not in their stored form, as far as the list has read it. Absent without
   * such records. The lists of the session name them.
   */
  readonly warnings?: number;
  /** Labels from the recorder: names of an experiment, a version, a customer. Absent without labels. */
  readonly labels?: readonly string[];
  /** Name of its source among several. Absent with a single source. */
  readonly source?: string;
}

/** True if no tokens of a session are counted: their number is unknown, and 0 says nothing about them. */
export function hasNoCounts({ tokens, usage }: Pick<InspectorSessionItem, "tokens" | "usage">): boolean {
  return tokens === 0 && usage === undefined;
}

/** Sort key of the list: newest activity first, then tenant, then session. */
export type SessionSortKey = Pick<InspectorSessionItem, "lastActive" | "tenantId" | "sessionId">;

export function compareSessions(a: SessionSortKey, b: SessionSortKey): number {
  return (
    -compareText(a.lastActive, b.lastActive) ||
    compareText(a.tenantId, b.tenantId) ||
    compareText(a.sessionId, b.sessionId)
  );
}
