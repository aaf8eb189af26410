import { type AxisSegment, positionOf, type Stretch, type TimeAxis, timeAxis } from "../charts/time-axis.js";

interface TimedRow {
  readonly at: number;
  readonly durationMs: number;
  readonly state: string;
  readonly children: number;
  readonly folded: boolean;
}

const OPEN_PART = 0.25;

/**
 * A row with rows for its parts counts only with its start, because a turn may end far below the screen.
 * @returns `undefined` without rows
 */
export function stretchOf(rows: readonly TimedRow[]): Stretch | undefined {
  if (rows.length === 0) return undefined;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let openUntil = Number.NEGATIVE_INFINITY;
  for (const { at, durationMs, state, children, folded } of rows) {
    const isComplete = children === 0 || folded;
    from = Math.min(from, at);
    to = Math.max(to, isComplete && state !== "open" ? at + durationMs : at);
    if (isComplete && state === "open") openUntil = Math.max(openUntil, at + durationMs);
  }
  const room = to > from ? (to - from) * OPEN_PART : Number.POSITIVE_INFINITY;
  return { from, to: Math.max(to, Math.min(openUntil, to + room)) };
}

const LEAST_MS = 10;

export function partOfAxis(
  isComplete: readonly AxisSegment[],
  stretch: Stretch,
  folds: readonly Stretch[],
): TimeAxis {
  const begin = isComplete[0]!.from;
  const end = isComplete.at(-1)!.to;
  const from = Math.max(begin, Math.min(stretch.from, end - LEAST_MS));
  const to = Math.min(end, Math.max(stretch.to, from + LEAST_MS));
  return timeAxis(from, to, folds, FOLD_WIDTH);
}

/** A longer quiet stretch is folded if it takes more than this share of the remaining axis. */
const MIN_QUIET_MS = 60_000;
const QUIET_PART = 0.3;
const FOLD_WIDTH = 0.025;

/**
 * Times in which no visible row begins or ends, as when a model call waits for minutes: unfolded, they would make dots of the other bars.
 * @returns in order
 */
export function quietStretches(rows: readonly TimedRow[], { from, to }: Stretch): Stretch[] {
  const edges = rows.flatMap(({ at, durationMs }) => [at, at + durationMs]);
  const inside = [from, to, ...edges].filter((at) => at >= from && at <= to).sort((a, b) => a - b);
  const between = inside.slice(1).map((at, i) => ({ from: inside[i]!, to: at }));
  const quiet: Stretch[] = [];
  let left = to - from;
  for (const stretch of between.sort((a, b) => lengthOf(b) - lengthOf(a))) {
    const length = lengthOf(stretch);
    if (length < MIN_QUIET_MS || length < left * QUIET_PART) break;
    quiet.push(stretch);
    left -= length;
  }
  return quiet.sort((a, b) => a.from - b.from);
}

function lengthOf({ from, to }: Stretch): number {
  return to - from;
}

export interface BarBounds {
  readonly x0: number;
  readonly x1: number;
  readonly cut: "" | "start" | "end" | "both";
}

/** @returns `undefined` if the bar lies beside the axis */
export function barBounds(axis: TimeAxis, at: number, durationMs: number): BarBounds | undefined {
  const { from } = axis.segments[0]!;
  const { to } = axis.segments.at(-1)!;
  const end = at + durationMs;
  if (end < from || at > to) return undefined;
  const cut = at < from ? (end > to ? "both" : "start") : end > to ? "end" : "";
  return { x0: positionOf(axis, at), x1: positionOf(axis, end), cut };
}
