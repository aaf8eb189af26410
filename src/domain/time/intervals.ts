import { firstWhere } from "../lists/lists.js";

/** Integer milliseconds, without `to`. */
export type Interval = readonly [from: number, to: number];

/** Disjoint, with gaps, in their order. */
export type Intervals = readonly Interval[];

export function unionOf(intervals: readonly Interval[], [from, to]: Interval = ALWAYS): Intervals {
  const inside: Interval[] = [];
  let isSorted = true;
  let previous = Number.NEGATIVE_INFINITY;
  for (const interval of intervals) {
    const start = Math.max(from, Math.round(interval[0]));
    const end = Math.min(to, Math.round(interval[1]));
    if (start >= end) continue;
    inside.push([start, end]);
    isSorted &&= previous <= start;
    previous = start;
  }
  return joined(isSorted ? inside : inside.sort((a, b) => a[0] - b[0]));
}

/** @param sorted by start */
function joined(sorted: readonly Interval[]): Intervals {
  const union: Interval[] = [];
  let [from, to] = sorted[0] ?? ALWAYS;
  for (const interval of sorted) {
    if (interval[0] > to) {
      union.push([from, to]);
      [from, to] = interval;
    } else if (interval[1] > to) to = interval[1];
  }
  if (sorted.length > 0) union.push([from, to]);
  return union;
}

function bothOf(a: Intervals, b: Intervals): Intervals {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const sorted: Interval[] = [];
  let i = 0;
  for (const interval of b) {
    while (i < a.length && a[i]![0] <= interval[0]) sorted.push(a[i++]!);
    sorted.push(interval);
  }
  while (i < a.length) sorted.push(a[i++]!);
  return joined(sorted);
}

const ALWAYS: Interval = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

export function lengthOf(intervals: Intervals): number {
  return intervals.reduce((ms, [from, to]) => ms + to - from, 0);
}

/** @returns the covered milliseconds of an interval */
export function coverageOf(intervals: Intervals): (interval: Interval) => number {
  const before = new Float64Array(intervals.length + 1);
  for (const [i, [from, to]] of intervals.entries()) before[i + 1] = before[i]! + to - from;
  const until = (instant: number): number => {
    const at = firstWhere(0, intervals.length, (i) => intervals[i]![1] > instant);
    return before[at]! + Math.max(0, instant - (intervals[at]?.[0] ?? instant));
  };
  return ([from, to]) => Math.max(0, until(to) - until(from));
}

export function gapsBetween(intervals: Intervals): Intervals {
  return intervals.slice(1).map(([from], i) => [intervals[i]![1], from]);
}

export function overlapOf(intervals: readonly Interval[]): Intervals {
  const sorted = [...intervals].sort((a, b) => a[0] - b[0]);
  const twice: Interval[] = [];
  let covered = Number.NEGATIVE_INFINITY;
  for (const [from, to] of sorted) {
    if (from < covered) twice.push([from, Math.min(to, covered)]);
    covered = Math.max(covered, to);
  }
  return unionOf(twice);
}

/**
 * An instant in several classes counts for the first one.
 * @param classes in the order of precedence; they may overlap
 * @returns the duration of each class
 */
export function shareOut(classes: readonly (readonly Interval[])[], within: Interval): readonly number[] {
  let taken: Intervals = [];
  let takenMs = 0;
  return classes.map((intervals) => {
    taken = bothOf(taken, unionOf(intervals, within));
    const before = takenMs;
    takenMs = lengthOf(taken);
    return takenMs - before;
  });
}
