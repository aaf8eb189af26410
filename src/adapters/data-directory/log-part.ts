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

/**
 * What a part of a log of events records. Logs are append-only, and what decides a session's status lies near their end, so that
 * is the part that is read of a long one.
 */
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

/** Two parts of which the second lies behind the first. */
export function joinParts(first: LogPart, second: LogPart): LogPart {
  return {
    steps: [...first.steps, ...second.steps],
    newest: newestInstant(first.newest, second.newest),
  };
}

/** Whether it records how the newest run or turn ended, whatever lies before it. */
export function decidesOutcome(part: LogPart): boolean {
  return boundariesOf(part).some(({ failed }) => failed !== undefined);
}

/** What it records of runs and turns. */
function boundariesOf({ steps }: LogPart): Boundary[] {
  return steps.filter((step): step is Boundary => !("does" in step));
}

/** Whether a run or turn that was begun in it has not ended. */
export function hasOpenRun(part: LogPart): boolean {
  return activityOf(part).open.length > 0;
}

/** The end of a log that was read whole, or of which only the part itself is wanted. */
export function endOfPart(part: LogPart): EventLogEnd {
  return { activity: activityOf(part), newest: part.newest };
}

/**
 * The end of a log that was not read whole, with the run that was begun before its last part, where that still goes on.
 *
 * @param head the first part of the log: it shows whether turns lie in runs there
 */
export function endOfLongLog(tail: LogPart, head: LogPart): EventLogEnd {
  const { activity, newest } = endOfPart(tail);
  if (activity.open.length > 0) return { activity, newest };
  return { activity: { ...activity, open: openedBefore(tail, head) }, newest };
}

/**
 * The runs that were begun before a part in which none was. Where nothing ended, what was begun goes on. Where turns lie in runs,
 * a run goes on that ended a turn and not itself.
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
