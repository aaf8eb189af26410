import { present } from "../json/json.js";
import { formatInstant, newestInstant } from "../trace/instant.js";
import type { CallSeries, CallStart } from "./call-series.js";
import type { CallActivity, OpenQuestion } from "./open-calls.js";
import type { LiveKind, LiveState, StateMembers } from "./session.js";
import { NO_ACTIVITY, type RunActivity } from "./session-activity.js";

/** Longest silence of an unfinished run that counts as running. */
export const RUNNING_WINDOW_MS = 5 * 60_000;

/** Work stalls after this multiple of its longest duration, and this minimum time. */
const STALL_FACTOR = 3;
const LEAST_STALL_MS = 60_000;
/** After this time without records, the process has probably ended without a record. */
const MOST_STALL_MS = 24 * 60 * 60_000;

const LEAST_LOOP = 4;

const EARLIEST = Number.NEGATIVE_INFINITY;

export function isRecent(lastActive: number | undefined, now: number): boolean {
  return lastActive !== undefined && now - lastActive <= RUNNING_WINDOW_MS;
}

/** True if an open call may still stall. */
export function mayStall(lastActive: number | undefined, now: number): boolean {
  return lastActive !== undefined && now - lastActive <= MOST_STALL_MS;
}

/** The latest time limit of an open call; `undefined` without one. */
export function goesOnUntil(activities: readonly CallActivity[]): number | undefined {
  return newestInstant(...activities.flatMap(({ calls = [] }) => calls.map(({ until }) => until)));
}

export function openQuestion(activities: readonly CallActivity[]): OpenQuestion | undefined {
  return newestOf(activities.flatMap(({ questions = [] }) => questions));
}

function newestOf<T extends { readonly at?: number | undefined }>(all: readonly T[]): T | undefined {
  return all.reduce<T | undefined>(
    (newest, one) => ((one.at ?? EARLIEST) >= (newest?.at ?? EARLIEST) ? one : newest),
    undefined,
  );
}

/**
 * The only definition of a session's state. It reads no records, so that a list follows time alone. `status` does not count a stalled
 * call, or a call without a time limit, after {@link RUNNING_WINDOW_MS}.
 * @param lastActive newest recorded instant of the session
 * @param now milliseconds since the epoch
 */
export function sessionState(
  activities: readonly RunActivity[],
  lastActive: number | undefined,
  now: number,
): Required<StateMembers> {
  const newest = activities.reduce(
    (best, activity) => ((activity.decidedAt ?? EARLIEST) >= (best.decidedAt ?? EARLIEST) ? activity : best),
    NO_ACTIVITY,
  );
  const { decidedAt = EARLIEST } = newest;
  const question = openQuestion(activities);
  const isWaitingSince = question !== undefined && (question.at ?? EARLIEST) >= decidedAt;
  if (newest.failed && !isWaitingSince)
    return { status: "error", state: stateIn("failed", { since: newest.decidedAt }) };
  if (question !== undefined) {
    const { at: since = lastActive, callId } = question;
    return { status: "waiting", state: stateIn("waiting", { since, callId }) };
  }
  const begun = activities.some(({ open }) => open.length > 0);
  const isLimited = (goesOnUntil(activities) ?? EARLIEST) >= now;
  const status = isLimited || (begun && isRecent(lastActive, now)) ? "running" : "idle";
  return { status, state: workState(activities, newest, { lastActive, now, begun, isLimited }) };
}

interface Clock {
  readonly lastActive: number | undefined;
  readonly now: number;
  readonly begun: boolean;
  readonly isLimited: boolean;
}

function workState(activities: readonly RunActivity[], newest: RunActivity, clock: Clock): LiveState {
  const { lastActive, now, begun, isLimited } = clock;
  const { end, decidedAt = EARLIEST } = newest;
  const calls = activities.flatMap((one) => one.calls ?? []);
  const call = newestOf(calls.filter(({ at }) => end === undefined || at > decidedAt));
  const recent = isRecent(lastActive, now);
  const hasEnded = call === undefined && (!begun || (end !== undefined && !recent));
  if (hasEnded) return { kind: end === "session" ? "done" : "idle" };
  const series = newestOf(activities.flatMap((one) => one.series?.slice(-1) ?? []));
  if (series !== undefined && isLoop(series, call) && (recent || isLimited))
    return stateIn("looping", series);
  const since = call?.at ?? newest.decidedAt ?? lastActive;
  const running = stateIn("running", { ...call, since });
  if (isLimited) return running;
  const longestMs = longestOf(activities, call?.toolName ?? "");
  if (longestMs === undefined || (call === undefined && !recent))
    return recent ? running : { kind: "stopped" };
  if (!mayStall(lastActive, now)) return { kind: "stopped" };
  const silentSince = Math.max(call?.at ?? EARLIEST, lastActive ?? EARLIEST);
  if (now - silentSince <= Math.max(LEAST_STALL_MS, longestMs * STALL_FACTOR)) return running;
  return stateIn("stalled", { ...call, since: call?.at ?? silentSince, longestMs });
}

/** A later call with another input is another matter. */
function isLoop({ times, input, at }: CallSeries, call: CallStart | undefined): boolean {
  const isAnother = call !== undefined && call.toolName !== "" && call.input !== input && call.at > at;
  return times >= LEAST_LOOP && !isAnother;
}

function longestOf(activities: readonly CallActivity[], toolName: string): number | undefined {
  const all = activities.flatMap(({ longest = [] }) => longest.filter((one) => one.toolName === toolName));
  return all.length === 0 ? undefined : Math.max(...all.map(({ ms }) => ms));
}

interface Evidence {
  readonly since: number | undefined;
  readonly toolName?: string;
  readonly callId?: string;
  readonly times?: number;
  readonly longestMs?: number;
}

function stateIn(kind: LiveKind, { since: at, toolName, callId, times, longestMs }: Evidence): LiveState {
  const since = at === undefined ? undefined : formatInstant(at);
  const toolCallId = toolName === "" ? undefined : callId || undefined;
  return { kind, ...present({ since, toolName: toolName || undefined, toolCallId, times, longestMs }) };
}
