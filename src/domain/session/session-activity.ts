import { type JsonObject, objectField, textField } from "../json/json.js";
import { classifyEvent } from "../trace/event-kinds.js";
import { instantOf, newestInstant } from "../trace/instant.js";
import { outcomeOf } from "./outcome.js";
import type { SessionStatus } from "./session.js";

/** How long after its last recorded instant an unfinished run still counts as running. */
export const RUNNING_WINDOW_MS = 5 * 60_000;

/**
 * What the events of one log record of the session's runs and turns. Plain data: it is kept per log, and events that are added
 * go on from it.
 */
export interface RunActivity {
  /** Runs and turns that were begun and not ended, as `traceId kind`. */
  readonly open: readonly string[];
  /** The newest run or turn ended in an error. */
  readonly failed: boolean;
  /** The instant of the newest event that began, ended or failed a run or turn. */
  readonly decidedAt: number | undefined;
}

export const NO_ACTIVITY: RunActivity = { open: [], failed: false, decidedAt: undefined };

/** An event that begins, ends or fails a run or a turn. The end of a session ends all of them. */
export interface Boundary {
  readonly kind: "run" | "turn" | "session" | "error";
  readonly phase: "start" | "end" | "point";
  readonly traceId: string;
  /** Milliseconds since the epoch; `undefined` where the event knows none. */
  readonly instant: number | undefined;
  /** Whether the newest run or turn has failed after it; `undefined` where it leaves that as it was. */
  readonly failed: boolean | undefined;
}

/** An event as a boundary; `undefined` for one that is not about runs and turns. */
export function boundaryOf(
  event: JsonObject,
  traceId: string,
  instant: number | undefined,
): Boundary | undefined {
  const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
  switch (kind) {
    case "error":
      return { kind, phase, traceId, instant, failed: true };
    case "session":
      return phase === "end" ? { kind, phase, traceId, instant, failed: failedOf(event) } : undefined;
    case "run":
    case "turn":
      return { kind, phase, traceId, instant, failed: phase === "end" ? failedOf(event) : false };
    default:
      return undefined;
  }
}

/** An ending that names no outcome leaves what was known before it. */
function failedOf(event: JsonObject): boolean | undefined {
  const outcome = outcomeOf(event);
  return outcome === undefined ? undefined : outcome === "failed";
}

/** The activity after one more boundary. */
export function followBoundary(activity: RunActivity, boundary: Boundary): RunActivity {
  const { kind, phase, traceId } = boundary;
  const failed = boundary.failed ?? activity.failed;
  const decidedAt = boundary.instant ?? activity.decidedAt;
  if (kind === "error") return { open: activity.open, failed, decidedAt };
  if (kind === "session") return { open: [], failed, decidedAt };
  const key = `${traceId} ${kind}`;
  const others = activity.open.filter((entry) => entry !== key);
  return { open: phase === "end" ? others : [...others, key], failed, decidedAt };
}

/** The end of a log of events: the state of its newest run or turn, and the newest instant. */
export interface EventLogEnd {
  readonly activity: RunActivity;
  readonly newest: number | undefined;
}

export const EMPTY_END: EventLogEnd = { activity: NO_ACTIVITY, newest: undefined };

/** What one record of a log contributes to the log's end. */
export interface LoggedEvent {
  readonly boundary: Boundary | undefined;
  readonly instant: number | undefined;
}

export function envelopeEvent(envelope: JsonObject): LoggedEvent {
  const instant = instantOf(envelope.timestamp);
  const traceId = textField(envelope, "traceId") ?? "";
  return { boundary: boundaryOf(objectField(envelope, "event"), traceId, instant), instant };
}

export function orchestrationEvent(event: JsonObject): LoggedEvent {
  const instant = instantOf(event.occurredAt) ?? instantOf(event.timestamp);
  return { boundary: boundaryOf(event, textField(event, "runId") ?? "", instant), instant };
}

/** The end of a log of trace envelopes after one more. */
export function followEnvelope(end: EventLogEnd, envelope: JsonObject): EventLogEnd {
  return followEvent(end, envelopeEvent(envelope));
}

/** The end of a log of orchestration events after one more. */
export function followOrchestrationEvent(end: EventLogEnd, event: JsonObject): EventLogEnd {
  return followEvent(end, orchestrationEvent(event));
}

function followEvent({ activity, newest }: EventLogEnd, { boundary, instant }: LoggedEvent): EventLogEnd {
  return {
    activity: boundary === undefined ? activity : followBoundary(activity, boundary),
    newest: newestInstant(newest, instant),
  };
}

/** Whether a session that was last active then may count as running. */
export function isRecent(lastActive: number | undefined, now: number): boolean {
  return lastActive !== undefined && now - lastActive <= RUNNING_WINDOW_MS;
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
  return begun && isRecent(lastActive, now) ? "running" : "idle";
}
