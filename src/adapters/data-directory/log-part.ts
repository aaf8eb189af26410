import {
  type Boundary,
  type EventLogEnd,
  followBoundary,
  type LoggedEvent,
  NO_ACTIVITY,
  type RunActivity,
} from "../../domain/session/session-activity.js";
import { newestInstant } from "../../domain/trace/instant.js";

/**
 * What a part of a log of events records. Logs are append-only, and what decides a session's status lies near their end, so that
 * is the part that is read of a long one.
 */
export interface LogPart {
  /** In stored order. */
  readonly boundaries: readonly Boundary[];
  readonly newest: number | undefined;
}

export const EMPTY_PART: LogPart = { boundaries: [], newest: undefined };

export function partOfEvents(events: readonly LoggedEvent[]): LogPart {
  const boundaries: Boundary[] = [];
  let newest: number | undefined;
  for (const { boundary, instant } of events) {
    if (boundary !== undefined) boundaries.push(boundary);
    if (instant !== undefined && (newest === undefined || instant > newest)) newest = instant;
  }
  return { boundaries, newest };
}

/** Two parts of which the second lies behind the first. */
export function joinParts(first: LogPart, second: LogPart): LogPart {
  return {
    boundaries: [...first.boundaries, ...second.boundaries],
    newest: newestInstant(first.newest, second.newest),
  };
}

/** Whether it records how the newest run or turn ended, whatever lies before it. */
export function decidesOutcome({ boundaries }: LogPart): boolean {
  return boundaries.some(({ failed }) => failed !== undefined);
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
function openedBefore({ boundaries }: LogPart, head: LogPart): string[] {
  if (!boundaries.some(({ phase }) => phase === "end")) return [" run"];
  if (!head.boundaries.some(({ kind, phase }) => kind === "run" && phase === "start")) return [];
  const turns = new Set<string>();
  const runs = new Set<string>();
  for (const { kind, traceId } of boundaries) {
    if (kind === "session") turns.clear();
    if (kind === "turn") turns.add(traceId);
    if (kind === "run") runs.add(traceId);
  }
  return [...turns].filter((traceId) => !runs.has(traceId)).map((traceId) => `${traceId} run`);
}

function activityOf({ boundaries }: LogPart): RunActivity {
  return boundaries.reduce(followBoundary, NO_ACTIVITY);
}
