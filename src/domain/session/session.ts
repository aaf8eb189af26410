import { compareText } from "../lists/compare-text.js";
import type { Cost } from "../usage/money.js";
import type { TokenUsage } from "../usage/token-usage.js";

/**
 * - `error`: the newest run or turn ended in an error.
 * - `waiting`: a question to a person has no recorded answer. It does not expire.
 * - `running`: a run or turn did not end, and the session was active within the last five minutes, or the time limit of an open tool call
 *   has not passed.
 * - `idle`: everything else.
 */
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Display order. */
export const SESSION_STATUSES = ["idle", "running", "waiting", "error"] as const;

export interface InspectorSessionItem {
  readonly tenantId: string;
  readonly sessionId: string;
  /** `""` without a recorded user. */
  readonly userId: string;
  /** Newest recorded instant: ISO 8601, UTC, with milliseconds. */
  readonly lastActive: string;
  readonly turns: number;
  /** Sum of the four classes of {@link TokenUsage}; also 0 if no count is recorded (then `usage` is absent). */
  readonly tokens: number;
  readonly status: SessionStatus;
  readonly title?: string;
  readonly agentId?: string;
  /** First recorded working directory, on the user's machine. */
  readonly directory?: string;
  readonly createdAt?: string;
  /** Absent without recorded token counts. */
  readonly usage?: TokenUsage;
  /** Failed calls, including those of sub-agents: the same number as in the trace. Absent if only the complete trace contains it. */
  readonly errors?: number;
  /** Model of the main agent's newest call. Absent if not recorded. */
  readonly model?: string;
  /** Models of all counted calls, including sub-agents, in no order. Absent if the list is incomplete. */
  readonly models?: readonly string[];
  /** First prompt of a person, in one line of at most 300 UTF-16 code units. Absent if not recorded, or if the title repeats it. */
  readonly prompt?: string;
  /** Last answer of the main agent, in such a line, without thoughts and tool calls. Absent if not recorded. */
  readonly lastAnswer?: string;
  /** Question to a person, in such a line: only for a `waiting` session. */
  readonly waitingFor?: string;
  /** Cost of all agents' model calls. Absent does not mean 0. */
  readonly cost?: Cost;
  /** Records that are unreadable or not in their stored form, so far. Absent without such records. */
  readonly warnings?: number;
  /** Labels from the recorder, such as an experiment or a version. Absent without labels. */
  readonly labels?: readonly string[];
  /** Absent with a single source. */
  readonly source?: string;
}

/** True if the number of tokens is unavailable, not 0. */
export function hasNoCounts({ tokens, usage }: Pick<InspectorSessionItem, "tokens" | "usage">): boolean {
  return tokens === 0 && usage === undefined;
}

/** Newest activity first, then tenant, then session. */
export type SessionSortKey = Pick<InspectorSessionItem, "lastActive" | "tenantId" | "sessionId">;

export function compareSessions(a: SessionSortKey, b: SessionSortKey): number {
  return (
    -compareText(a.lastActive, b.lastActive) ||
    compareText(a.tenantId, b.tenantId) ||
    compareText(a.sessionId, b.sessionId)
  );
}
