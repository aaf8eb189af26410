/** Whole milliseconds, from `from` up to, but without, `to`. */
export type Interval = readonly [from: number, to: number];

/** Intervals that do not touch, in their order. */
export type Intervals = readonly Interval[];

/** What some intervals cover, inside of another one. */
export function unionOf(intervals: readonly Interval[], [from, to]: Interval = ALWAYS): Intervals {
  const inside: [number, number][] = [];
  for (const interval of intervals) {
    const start = Math.max(from, Math.round(interval[0]));
    const end = Math.min(to, Math.round(interval[1]));
    if (start < end) inside.push([start, end]);
  }
  inside.sort((a, b) => a[0] - b[0]);
  const union: [number, number][] = [];
  for (const interval of inside) {
    const last = union.at(-1);
    if (last !== undefined && interval[0] <= last[1]) last[1] = Math.max(last[1], interval[1]);
    else union.push(interval);
  }
  return union;
}

const ALWAYS: Interval = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** The milliseconds in intervals that do not touch. */
export function lengthOf(intervals: Intervals): number {
  return intervals.reduce((ms, [from, to]) => ms + to - from, 0);
}

/** @returns how many milliseconds of some intervals lie inside of another one */
export function coverageOf(intervals: Intervals): (interval: Interval) => number {
  const before = new Float64Array(intervals.length + 1);
  for (const [i, [from, to]] of intervals.entries()) before[i + 1] = before[i]! + to - from;
  const until = (instant: number): number => {
    let low = 0;
    let high = intervals.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (intervals[middle]![1] <= instant) low = middle + 1;
      else high = middle;
    }
    const open = intervals[low];
    return before[low]! + Math.max(0, instant - (open?.[0] ?? instant));
  };
  return ([from, to]) => Math.max(0, until(to) - until(from));
}

/** What lies between intervals: neither before the first nor behind the last of them. */
export function gapsBetween(intervals: Intervals): Intervals {
  return intervals.slice(1).map(([from], i) => [intervals[i]![1], from]);
}

/** What at least two of some intervals cover. */
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
 * How long each class lasts inside of an interval, where an instant of several classes is of the first one.
 *
 * @param classes intervals of each, in the order of their precedence; they may overlap
 * @returns as many numbers
 */
export function shareOut(classes: readonly (readonly Interval[])[], within: Interval): readonly number[] {
  let taken: Intervals = [];
  let takenMs = 0;
  return classes.map((intervals) => {
    taken = unionOf([...taken, ...intervals], within);
    const before = takenMs;
    takenMs = lengthOf(taken);
    return takenMs - before;
  });
}
