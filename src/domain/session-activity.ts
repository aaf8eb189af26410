import { classifyEvent } from "./event-kinds.js";
import { instantOf, newestInstant } from "./instant.js";
import { type JsonObject, objectField, textField } from "./json.js";
import { outcomeOf } from "./outcome.js";
import type { SessionStatus } from "./session.js";

/** How long after its last recorded instant an unfinished run still counts as running. */
export const RUNNING_WINDOW_MS = 5 * 60_000;

/**
 * What the events of one log say of the session's runs and turns. Plain data: it is kept per file and goes on from where
 * the file ended.
 */
export interface RunActivity {
  /** Runs and turns that were begun and not ended, as `traceId kind`. */
  readonly open: readonly string[];
  /** The newest run or turn ended in an error. */
  readonly failed: boolean;
  /** The instant of the newest event that began, ended or failed a run or turn. */
  readonly decidedAt: number | undefined;
  /** The widest span whose beginning was seen: from there on nothing is missing. */
  readonly begun: "run" | "turn" | undefined;
}

export const NO_ACTIVITY: RunActivity = {
  open: [],
  failed: false,
  decidedAt: undefined,
  begun: undefined,
};

/** The activity after one more event. Events that say nothing of runs and turns give the same object back. */
export function followActivity(
  activity: RunActivity,
  event: JsonObject,
  traceId: string,
  instant: number | undefined,
): RunActivity {
  const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
  const decidedAt = instant ?? activity.decidedAt;
  if (kind === "error") return { ...activity, failed: true, decidedAt };
  if (kind === "session" && phase === "end") {
    return { ...activity, open: [], failed: hasFailed(event, activity), decidedAt };
  }
  if (kind !== "run" && kind !== "turn") return activity;
  const key = `${traceId} ${kind}`;
  const others = activity.open.filter((entry) => entry !== key);
  if (phase === "end") return { ...activity, open: others, failed: hasFailed(event, activity), decidedAt };
  const begun = activity.begun === "run" ? "run" : kind;
  return { open: [...others, key], failed: false, decidedAt, begun };
}

/** An ending that names no outcome leaves what was known before it. */
function hasFailed(event: JsonObject, { failed }: RunActivity): boolean {
  const outcome = outcomeOf(event);
  return outcome === undefined ? failed : outcome === "failed";
}

/** Whether an event of that type may change an activity. */
export function decidesActivity(type: string): boolean {
  const { kind, phase } = classifyEvent(type);
  return kind === "error" || kind === "run" || kind === "turn" || (kind === "session" && phase === "end");
}

/** What a log of events says of its end: how its newest run or turn stands, and the newest instant. */
export interface EventLogEnd {
  readonly activity: RunActivity;
  readonly newest: number | undefined;
}

export const EMPTY_END: EventLogEnd = { activity: NO_ACTIVITY, newest: undefined };

/** The end of a log of trace envelopes after one more. */
export function followEnvelope(end: EventLogEnd, envelope: JsonObject): EventLogEnd {
  const traceId = textField(envelope, "traceId") ?? "";
  return followEvent(end, objectField(envelope, "event"), traceId, instantOf(envelope.timestamp));
}

/** The end of a log of orchestration events after one more. */
export function followOrchestrationEvent(end: EventLogEnd, event: JsonObject): EventLogEnd {
  const instant = instantOf(event.occurredAt) ?? instantOf(event.timestamp);
  return followEvent(end, event, textField(event, "runId") ?? "", instant);
}

/**
 * The end of a log after one more event that does not decide how its runs and turns stand.
 *
 * @param instant milliseconds since the epoch; `NaN` where it has none
 */
export function followInstant(end: EventLogEnd, instant: number): EventLogEnd {
  const isNewer = end.newest === undefined ? !Number.isNaN(instant) : instant > end.newest;
  return isNewer ? { activity: end.activity, newest: instant } : end;
}

function followEvent(
  end: EventLogEnd,
  event: JsonObject,
  runId: string,
  instant: number | undefined,
): EventLogEnd {
  return {
    activity: followActivity(end.activity, event, runId, instant),
    newest: newestInstant(end.newest, instant),
  };
}

/**
 * Whether the last part of a log tells its end although what lies between it and the first part was not read. It does where
 * it knows an instant and the newest run began in it; or the newest turn, in a log that does not begin with a run, which
 * might still be open.
 */
export function endSuffices(beginning: EventLogEnd, end: EventLogEnd): boolean {
  if (end.newest === undefined) return false;
  const { begun } = end.activity;
  return begun === "run" || (begun === "turn" && beginning.activity.begun === "turn");
}

/**
 * The status of a session, from the activity of its logs.
 *
 * @param lastActive the newest instant recorded for the session
 * @param now the caller's clock, in milliseconds since the epoch
 */
export function sessionStatus(
  activities: readonly RunActivity[],
  lastActive: number | undefined,
  now: number,
): SessionStatus {
  const newest = activities.reduce(
    (best, activity) =>
      (activity.decidedAt ?? Number.NEGATIVE_INFINITY) >= (best.decidedAt ?? Number.NEGATIVE_INFINITY)
        ? activity
        : best,
    NO_ACTIVITY,
  );
  if (newest.failed) return "error";
  const begun = activities.some((activity) => activity.open.length > 0);
  return begun && lastActive !== undefined && now - lastActive <= RUNNING_WINDOW_MS ? "running" : "idle";
}
