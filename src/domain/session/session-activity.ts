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

/** Longest silence of an unfinished run that counts as running. */
export const RUNNING_WINDOW_MS = 5 * 60_000;

/** Plain data, stored per log; later events are added to it. */
export interface RunActivity extends OpenCalls {
  /** Elements are `traceId kind`. */
  readonly open: readonly string[];
  /** Refers to the newest run or turn. */
  readonly failed: boolean;
  /** Instant of the newest boundary of a run or turn. */
  readonly decidedAt: number | undefined;
}

export const NO_ACTIVITY: RunActivity = { open: [], failed: false, decidedAt: undefined };

/** The end of a session ends all runs and turns. */
export interface Boundary {
  readonly kind: "run" | "turn" | "session" | "error";
  readonly phase: "start" | "end" | "point";
  readonly traceId: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  /** Milliseconds since the epoch. */
  readonly instant: number | undefined;
  /** `undefined` does not change the previous state. */
  readonly failed: boolean | undefined;
}

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

function failedOf(event: JsonObject): boolean | undefined {
  const outcome = outcomeOf(event);
  return outcome === undefined ? undefined : outcome === "failed";
}

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

function withCalls(
  { open, failed, decidedAt }: RunActivity,
  { asked: questions, timed }: OpenCalls,
): RunActivity {
  return { open, failed, decidedAt, ...present({ asked: questions, timed }) };
}

export interface EventLogEnd {
  readonly activity: RunActivity;
  readonly newest: number | undefined;
}

export const EMPTY_END: EventLogEnd = { activity: NO_ACTIVITY, newest: undefined };

export interface LoggedEvent {
  /** `undefined` if the record does not change the status. */
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

/** Returns the reason why a page does not display an event as stored. */
export function eventProblem({ occurredAt, timestamp }: JsonObject): string | undefined {
  return [occurredAt, timestamp].some(isOddInstant) ? ODD_INSTANT : undefined;
}

function loggedEvent(event: JsonObject, traceId: string, instant: number | undefined): LoggedEvent {
  return { step: boundaryOf(event, traceId, instant) ?? callStepOf(event, traceId, instant), instant };
}

export function followEnvelope(end: EventLogEnd, envelope: JsonObject): EventLogEnd {
  return followEvent(end, envelopeEvent(envelope));
}

export function followOrchestrationEvent(end: EventLogEnd, event: JsonObject): EventLogEnd {
  return followEvent(end, orchestrationEvent(event));
}

function followEvent({ activity, newest }: EventLogEnd, { step, instant }: LoggedEvent): EventLogEnd {
  return {
    activity: step === undefined ? activity : followStep(activity, step),
    newest: newestInstant(newest, instant),
  };
}

export function isRecent(lastActive: number | undefined, now: number): boolean {
  return lastActive !== undefined && now - lastActive <= RUNNING_WINDOW_MS;
}

/** The latest time limit of an open call; `undefined` without one. */
export function goesOnUntil(activities: readonly OpenCalls[]): number | undefined {
  return newestInstant(...activities.flatMap(({ timed = [] }) => timed.map(({ until }) => until)));
}

export function openQuestion(activities: readonly OpenCalls[]): OpenQuestion | undefined {
  const questions = activities.flatMap(({ asked: questions = [] }) => questions);
  return questions.reduce<OpenQuestion | undefined>(
    (newest, one) => ((one.at ?? EARLIEST) >= (newest?.at ?? EARLIEST) ? one : newest),
    undefined,
  );
}

const EARLIEST = Number.NEGATIVE_INFINITY;

/**
 * A question to a person stays open without a limit. Other unfinished work counts for {@link RUNNING_WINDOW_MS}, or for the time limit of
 * its call.
 * @param lastActive newest recorded instant of the session
 * @param now milliseconds since the epoch
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
  const isWaitingSince =
    question !== undefined && (question.at ?? EARLIEST) >= (newest.decidedAt ?? EARLIEST);
  if (newest.failed && !isWaitingSince) return "error";
  if (question !== undefined) return "waiting";
  if ((goesOnUntil(activities) ?? EARLIEST) >= now) return "running";
  const begun = activities.some((activity) => activity.open.length > 0);
  return begun && isRecent(lastActive, now) ? "running" : "idle";
}
