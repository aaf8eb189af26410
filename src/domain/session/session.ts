import { isJsonObject } from "../json/json.js";
import { compareText } from "../lists/compare-text.js";
import { instantOf } from "../trace/instant.js";
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

/**
 * Words of the states, in display order.
 *
 * - `failed`: the newest run or turn ended in an error.
 * - `waiting`: a question to a person has no recorded answer. It does not expire.
 * - `stalled`: the open call, or between calls the model, takes much longer than any similar work among the newest records.
 * - `looping`: the newest calls repeat one call with one result.
 * - `running`: a run, turn or call did not end, and is not too old.
 * - `stopped`: a run, turn or call has no recorded end, and is too old to run.
 * - `done`: a record states the end of the session.
 * - `idle`: all recorded turns ended, or none began.
 */
export const STATE_WORDS = {
  failed: "Failed",
  waiting: "Waiting",
  stalled: "Stalled",
  looping: "Looping",
  running: "Running",
  stopped: "Stopped",
  done: "Done",
  idle: "Idle",
} as const;

export type LiveKind = keyof typeof STATE_WORDS;

export const SESSION_STATES = Object.keys(STATE_WORDS) as readonly LiveKind[];

export interface LiveState {
  readonly kind: LiveKind;
  /** Start of the work, question, loop or silence, or the failure: ISO 8601, UTC. Absent if not recorded, and for other states. */
  readonly since?: string;
  /** Tool of the open or repeated call. Absent without a tool. */
  readonly toolName?: string;
  /** The open call, the question, or the newest repeated call. */
  readonly toolCallId?: string;
  /** Number of equal calls: only for `looping`. */
  readonly times?: number;
  /** Longest similar call among the newest records: only for `stalled`. */
  readonly longestMs?: number;
}

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
  /** State at the instant of the request. Absent from a source that only has a `status`: see {@link stateOf}. */
  readonly state?: LiveState;
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

export function isLiveState(value: unknown): value is LiveState {
  if (!isJsonObject(value) || !SESSION_STATES.some((kind) => kind === value.kind)) return false;
  const { since, toolName = "", toolCallId = "", times = 0, longestMs = 0 } = value;
  return (
    (since === undefined || (typeof since === "string" && instantOf(since) !== undefined)) &&
    [toolName, toolCallId].every((text) => typeof text === "string") &&
    [times, longestMs].every(Number.isFinite)
  );
}

const STATE_OF_STATUS = { idle: "idle", running: "running", waiting: "waiting", error: "failed" } as const;

export type StateMembers = Pick<InspectorSessionItem, "state" | "status">;

export function stateOf({ state, status }: StateMembers): LiveState {
  return state ?? { kind: STATE_OF_STATUS[status] };
}

/** The session may grow: something in it did not end. */
export function isUnfinished(item: StateMembers | undefined): boolean {
  return item !== undefined && UNFINISHED.has(stateOf(item).kind);
}

const UNFINISHED: ReadonlySet<LiveKind> = new Set(["waiting", "stalled", "looping", "running"]);

/** True if the state needs no attention. */
export function isQuiet(item: StateMembers): boolean {
  const { kind } = stateOf(item);
  return kind === "idle" || kind === "done";
}

/** True if the state changes with time alone. */
export function changesWithTime(item: StateMembers): boolean {
  return isUnfinished(item) && item.status !== "waiting";
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
