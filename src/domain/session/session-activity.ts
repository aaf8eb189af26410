import { classifyEvent } from "../dialects/event-kinds.js";
import { type JsonObject, objectField, present, textField } from "../json/json.js";
import { instantOf, isOddInstant, newestInstant, ODD_INSTANT } from "../trace/instant.js";
import { outcomeOf } from "../trace/outcome.js";
import {
  type CallStep,
  callStepOf,
  endCallsOf,
  endUnnamedQuestions,
  followCall,
  type OpenCalls,
  type OpenQuestion,
} from "./open-calls.js";
import type { SessionStatus } from "./session.js";

/** Time after its last recorded instant in which an unfinished run counts as running. */
export const RUNNING_WINDOW_MS = 5 * 60_000;

/**
 * State of the session's runs and turns, and of their calls, from the events of one log. Plain data, stored per log; later events are
 * added to it.
 */
export interface RunActivity extends OpenCalls {
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
  /** `""` for the main agent. */
  readonly agentId: string;
  /** Milliseconds since the epoch; `undefined` where the event knows none. */
  readonly instant: number | undefined;
  /** True if the newest run or turn failed; `undefined` if the event does not change that. */
  readonly failed: boolean | undefined;
}

/** An event as a boundary; `undefined` for one that is not about runs and turns. */
function boundaryOf(event: JsonObject, traceId: string, instant: number | undefined): Boundary | undefined {
  const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
  const of = { phase, traceId, agentId: textField(event, "agentId") ?? "", instant };
  switch (kind) {
    case "error":
      return { kind, ...of, failed: true };
    case "session":
      return phase === "end" ? { kind, ...of, failed: failedOf(event) } : undefined;
    case "run":
    case "turn":
      return { kind, ...of, failed: phase === "end" ? failedOf(event) : false };
    default:
      return undefined;
  }
}

/** An end without an outcome does not change the previous state. */
function failedOf(event: JsonObject): boolean | undefined {
  const outcome = outcomeOf(event);
  return outcome === undefined ? undefined : outcome === "failed";
}

/** The activity after one more boundary, or one more step of a call. */
export function followStep(activity: RunActivity, step: Boundary | CallStep): RunActivity {
  return "does" in step ? withCalls(activity, followCall(activity, step)) : followBoundary(activity, step);
}

function followBoundary(activity: RunActivity, boundary: Boundary): RunActivity {
  const { kind, phase, traceId, agentId } = boundary;
  const failed = boundary.failed ?? activity.failed;
  const decidedAt = boundary.instant ?? activity.decidedAt;
  if (kind === "session") return { open: [], failed, decidedAt };
  // The end of the main agent also ends its sub-agents.
  const ended = endCallsOf(activity, traceId, kind === "error" ? agentId : agentId || undefined);
  const isNextTurn = kind === "turn" && phase === "start" && agentId === "";
  const calls = isNextTurn ? endUnnamedQuestions(ended) : ended;
  const { open } = activity;
  if (kind === "error") return withCalls({ open, failed, decidedAt }, calls);
  const key = `${traceId} ${kind}`;
  const others = open.filter((entry) => entry !== key);
  return withCalls({ open: phase === "end" ? others : [...others, key], failed, decidedAt }, calls);
}

function withCalls({ open, failed, decidedAt }: RunActivity, { asked, timed }: OpenCalls): RunActivity {
  return { open, failed, decidedAt, ...present({ asked, timed }) };
}

/** The end of a log of events: the state of its newest run or turn, and the newest instant. */
export interface EventLogEnd {
  readonly activity: RunActivity;
  readonly newest: number | undefined;
}

export const EMPTY_END: EventLogEnd = { activity: NO_ACTIVITY, newest: undefined };

/** Contribution of one record to the state at the end of the log. */
export interface LoggedEvent {
  /** The boundary or question in the record; `undefined` if it does not change the status. */
  readonly step: Boundary | CallStep | undefined;
  readonly instant: number | undefined;
}

export function envelopeEvent(envelope: JsonObject): LoggedEvent {
  const instant = instantOf(envelope.timestamp);
  const traceId = textField(envelope, "traceId") ?? "";
  return loggedEvent(objectField(envelope, "event"), traceId, instant);
}

export function orchestrationEvent(event: JsonObject): LoggedEvent {
  const instant = instantOf(event.occurredAt) ?? instantOf(event.timestamp);
  return loggedEvent(event, textField(event, "runId") ?? "", instant);
}

/** Returns why an orchestration event is not displayed as stored; `undefined` without a reason. */
export function eventProblem({ occurredAt, timestamp }: JsonObject): string | undefined {
  return [occurredAt, timestamp].some(isOddInstant) ? ODD_INSTANT : undefined;
}

function loggedEvent(event: JsonObject, traceId: string, instant: number | undefined): LoggedEvent {
  return { step: boundaryOf(event, traceId, instant) ?? callStepOf(event, traceId, instant), instant };
}

/** The end of a log of trace envelopes after one more. */
export function followEnvelope(end: EventLogEnd, envelope: JsonObject): EventLogEnd {
  return followEvent(end, envelopeEvent(envelope));
}

/** The end of a log of orchestration events after one more. */
export function followOrchestrationEvent(end: EventLogEnd, event: JsonObject): EventLogEnd {
  return followEvent(end, orchestrationEvent(event));
}

function followEvent({ activity, newest }: EventLogEnd, { step, instant }: LoggedEvent): EventLogEnd {
  return {
    activity: step === undefined ? activity : followStep(activity, step),
    newest: newestInstant(newest, instant),
  };
}

/** True if a session with this last activity may count as running. */
export function isRecent(lastActive: number | undefined, now: number): boolean {
  return lastActive !== undefined && now - lastActive <= RUNNING_WINDOW_MS;
}

/** Until when open calls say that they may take; `undefined` where none says it. */
export function goesOnUntil(activities: readonly OpenCalls[]): number | undefined {
  return newestInstant(...activities.flatMap(({ timed = [] }) => timed.map(({ until }) => until)));
}

/** The newest open question to a person in a session's logs; `undefined` without one. */
export function openQuestion(activities: readonly OpenCalls[]): OpenQuestion | undefined {
  const asked = activities.flatMap(({ asked: questions = [] }) => questions);
  return asked.reduce<OpenQuestion | undefined>(
    (newest, one) => ((one.at ?? EARLIEST) >= (newest?.at ?? EARLIEST) ? one : newest),
    undefined,
  );
}

const EARLIEST = Number.NEGATIVE_INFINITY;

/**
 * Computes the status of a session from the activity of its logs. A question to a person stays open without a limit; any other unfinished
 * work counts for {@link RUNNING_WINDOW_MS}, or for the time limit of its call.
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
    (best, activity) => ((activity.decidedAt ?? EARLIEST) >= (best.decidedAt ?? EARLIEST) ? activity : best),
    NO_ACTIVITY,
  );
  const question = openQuestion(activities);
  const isAskedSince = question !== undefined && (question.at ?? EARLIEST) >= (newest.decidedAt ?? EARLIEST);
  if (newest.failed && !isAskedSince) return "error";
  if (question !== undefined) return "waiting";
  if ((goesOnUntil(activities) ?? EARLIEST) >= now) return "running";
  const begun = activities.some((activity) => activity.open.length > 0);
  return begun && isRecent(lastActive, now) ? "running" : "idle";
}
