import { type AxisSegment, type Stretch, type TimeAxis, timeAxis } from "../charts/time-axis.js";

interface TimedRow {
  readonly at: number;
  readonly durationMs: number;
  readonly state: string;
}

/**
 * An open row of a running session runs until now.
 * @param now `undefined` if the session does not run
 */
export function runsFor({ at, durationMs, state }: TimedRow, now: number | undefined): number {
  return state === "open" && now !== undefined ? Math.max(durationMs, now - at) : durationMs;
}

/**
 * Ends the axis now. If nothing is open and pauses are folded, the time since the last event is a pause, too.
 * @param until the end of a zoomed axis
 */
export function liveAxis(
  axis: readonly AxisSegment[],
  now: number | undefined,
  until: number | undefined,
  isWorking: boolean,
  foldsGaps: boolean,
): readonly AxisSegment[] {
  const last = axis.at(-1);
  if (now === undefined || until !== undefined || last === undefined || now <= last.to) return axis;
  const folds: Stretch[] = axis.filter(({ folded }) => folded);
  const from = axis[0]!.from;
  const quietMs = now - last.to;
  if (!isWorking && foldsGaps && quietMs >= QUIET_MS && quietMs >= (now - from) * QUIET_PART)
    folds.push({ from: last.to, to: now });
  return timeAxis(from, now, folds).segments;
}

const QUIET_MS = 20_000;
const QUIET_PART = 0.02;

export function isOnAxis({ segments }: TimeAxis, instant: number): boolean {
  const last = segments.at(-1);
  return last !== undefined && instant >= segments[0]!.from && instant <= last.to;
}

/**
 * Counts up in integer seconds.
 * @example formatRunning(65_900) // "1m 05s"
 */
export function formatRunning(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  const pad = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 24) return `${hours}h ${pad(Math.floor(seconds / 60) % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
