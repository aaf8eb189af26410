import { classifyEvent } from "../dialects/event-kinds.js";
import { type JsonObject, objectField, textField } from "../json/json.js";
import { instantOf, isOddInstant, newestInstant, ODD_INSTANT } from "../trace/instant.js";
import { outcomeOf } from "../trace/outcome.js";
import {
  type CallActivity,
  type CallStep,
  callStepOf,
  endCallsOf,
  endUnnamedQuestions,
  endWorkBefore,
  followCall,
  withLists,
} from "./open-calls.js";

/** Plain data, stored per log; later events are added to it. */
export interface RunActivity extends CallActivity {
  /** Elements are `traceId kind`, or `traceId turn unasked`. */
  readonly open: readonly string[];
  /** Refers to the newest run or turn. */
  readonly failed: boolean;
  /** Instant of the newest boundary of a run or turn. */
  readonly decidedAt: number | undefined;
  /** The main agent's newest boundary, if it is an end. */
  readonly end?: "turn" | "session";
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
  readonly isUnasked?: boolean;
}

const UNASKED = " unasked";

export function isUnaskedTurn(open: string): boolean {
  return open.endsWith(UNASKED);
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
    case "turn": {
      const isUnasked = kind === "turn" && event.asked === false;
      return { kind, ...of, failed: phase === "end" ? failedOf(event) : false, isUnasked };
    }
    default:
      return undefined;
  }
}

function failedOf(event: JsonObject): boolean | undefined {
  const outcome = outcomeOf(event);
  return outcome === undefined ? undefined : outcome === "failed";
}

export function followStep(activity: RunActivity, step: Boundary | CallStep): RunActivity {
  if (!("does" in step)) return followBoundary(activity, step);
  // The next model call of an open turn clears the failure.
  const hasRecovered = step.does === "next" && step.toolName !== undefined && activity.open.length > 0;
  const { open, failed, decidedAt, end } = activity;
  const state = { open, failed: failed && !hasRecovered, decidedAt, ...(end && { end }) };
  return { ...state, ...withLists(followCall(activity, step)) };
}

function followBoundary(activity: RunActivity, boundary: Boundary): RunActivity {
  const { kind, phase, traceId, agentId } = boundary;
  const failed = boundary.failed ?? activity.failed;
  const decidedAt = boundary.instant ?? activity.decidedAt;
  if (kind === "session") return { open: [], failed, decidedAt, end: "session" };
  // The end of the main agent also ends its sub-agents.
  const ended = endCallsOf(activity, traceId, kind === "error" ? agentId : agentId || undefined);
  const isTurn = kind === "turn" && phase === "start";
  const prompted = isTurn ? endWorkBefore(ended, agentId) : ended;
  const calls = withLists(isTurn && agentId === "" ? endUnnamedQuestions(prompted) : prompted);
  const { open, end } = activity;
  if (kind === "error") return { open, failed, decidedAt, ...(end && { end }), ...calls };
  const key = `${traceId} ${kind}`;
  const others = open.filter((entry) => entry !== key && entry !== key + UNASKED);
  const begun = boundary.isUnasked ? key + UNASKED : key;
  const ownEnd = phase === "end" ? ("turn" as const) : undefined;
  const newestEnd = agentId === "" ? ownEnd : end;
  const state = { open: phase === "end" ? others : [...others, begun], failed, decidedAt };
  return { ...state, ...(newestEnd && { end: newestEnd }), ...calls };
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
