import type { CallStep } from "../../domain/session/open-calls.js";
import {
  type Boundary,
  type EventLogEnd,
  followStep,
  type LoggedEvent,
  NO_ACTIVITY,
  type RunActivity,
} from "../../domain/session/session-activity.js";
import { newestInstant } from "../../domain/trace/instant.js";

type Step = Boundary | CallStep;

/** Logs are append-only, and the events that decide a session's status are near the end: only that part of a long log is read. */
export interface LogPart {
  /** In stored order. */
  readonly steps: readonly Step[];
  readonly newest: number | undefined;
}

export const EMPTY_PART: LogPart = { steps: [], newest: undefined };

export function partOfEvents(events: readonly LoggedEvent[]): LogPart {
  const steps: Step[] = [];
  let newest: number | undefined;
  for (const { step, instant } of events) {
    if (step !== undefined) steps.push(step);
    if (instant !== undefined && (newest === undefined || instant > newest)) newest = instant;
  }
  return { steps, newest };
}

export function joinParts(first: LogPart, second: LogPart): LogPart {
  return {
    steps: [...first.steps, ...second.steps],
    newest: newestInstant(first.newest, second.newest),
  };
}

export function decidesOutcome(part: LogPart): boolean {
  return boundariesOf(part).some(({ failed }) => failed !== undefined);
}

function boundariesOf({ steps }: LogPart): Boundary[] {
  return steps.filter((step): step is Boundary => !("does" in step));
}

export function hasOpenRun(part: LogPart): boolean {
  return activityOf(part).open.length > 0;
}

export function hasOpenCall(part: LogPart): boolean {
  return activityOf(part).calls !== undefined;
}

export function endOfPart(part: LogPart): EventLogEnd {
  return { activity: activityOf(part), newest: part.newest };
}

/**
 * Includes the run that began before the last part, if that run is still open.
 * @param head the first part of the log; its events show if the turns of this log are inside runs
 */
export function endOfLongLog(tail: LogPart, head: LogPart): EventLogEnd {
  const { activity, newest } = endOfPart(tail);
  if (activity.open.length > 0) return { activity, newest };
  return { activity: { ...activity, open: openedBefore(tail, head) }, newest };
}

/**
 * For a part without a start of a run. Without an end, the earlier run is still open; if turns are inside runs, also after the end of a
 * turn.
 */
function openedBefore(tail: LogPart, head: LogPart): string[] {
  const boundaries = boundariesOf(tail);
  if (!boundaries.some(({ phase }) => phase === "end")) return [" run"];
  if (!boundariesOf(head).some(({ kind, phase }) => kind === "run" && phase === "start")) return [];
  const turns = new Set<string>();
  const runs = new Set<string>();
  for (const { kind, traceId } of boundaries) {
    if (kind === "session") turns.clear();
    if (kind === "turn") turns.add(traceId);
    if (kind === "run") runs.add(traceId);
  }
  return [...turns].filter((traceId) => !runs.has(traceId)).map((traceId) => `${traceId} run`);
}

function activityOf({ steps }: LogPart): RunActivity {
  return steps.reduce(followStep, NO_ACTIVITY);
}
