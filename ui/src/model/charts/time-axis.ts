import { type Span, walkSpans } from "../../../../src/domain/spans/span.js";

export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Maps instants to 0…1. Linear within a segment; a folded gap has a small width. */
export interface TimeAxis {
  readonly segments: readonly AxisSegment[];
}

export interface AxisSegment {
  readonly from: number;
  readonly to: number;
  readonly x0: number;
  readonly x1: number;
  readonly folded: boolean;
}

/** A folded gap exceeds both this time and this share of the total. */
const MIN_GAP_MS = 20_000;
const MIN_GAP_PART = 0.02;
const MAX_GAPS = 60;
const GAP_WIDTH = 0.008;

/** Overlapping or touching spans are one stretch. */
export function activeStretches(roots: readonly Span[]): Gap[] {
  const stretches: Gap[] = [];
  walkSpans(roots, (span) => {
    const working = span.children.length === 0 || span.kind === "tool" || span.kind === "llm";
    if (working && span.state !== "open") stretches.push({ from: span.start.at, to: span.endAt });
    else stretches.push({ from: span.start.at, to: span.start.at });
    for (const { start } of span.bookkeeping) stretches.push({ from: start.at, to: start.at });
  });
  stretches.sort((a, b) => a.from - b.from);
  const merged: { from: number; to: number }[] = [];
  for (const stretch of stretches) {
    const last = merged.at(-1);
    if (last !== undefined && stretch.from <= last.to) last.to = Math.max(last.to, stretch.to);
    else merged.push({ ...stretch });
  }
  return merged;
}

export function idleGaps(stretches: readonly Gap[]): Gap[] {
  const total = (stretches.at(-1)?.to ?? 0) - (stretches[0]?.from ?? 0);
  const least = Math.max(MIN_GAP_MS, total * MIN_GAP_PART);
  const gaps: Gap[] = [];
  for (let i = 1; i < stretches.length; i++) {
    const gap = { from: stretches[i - 1]!.to, to: stretches[i]!.from };
    if (gap.to - gap.from >= least) gaps.push(gap);
  }
  if (gaps.length <= MAX_GAPS) return gaps;
  const longest = [...gaps].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_GAPS);
  return longest.sort((a, b) => a.from - b.from);
}

/**
 * @param gaps in order, without overlap; the parts within the range are folded
 * @param width width of a folded gap, as a share of the total
 */
export function timeAxis(from: number, to: number, gaps: readonly Gap[], width = GAP_WIDTH): TimeAxis {
  const end = Math.max(to, from + 1);
  const inside = gaps
    .filter((gap) => gap.to > from && gap.from < end)
    .map((gap) => ({ from: Math.max(gap.from, from), to: Math.min(gap.to, end) }));
  const idle = inside.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const perMs = Math.max(0.2, 1 - inside.length * width) / Math.max(1, end - from - idle);
  const gapWidth = inside.length === 0 ? 0 : (1 - perMs * Math.max(1, end - from - idle)) / inside.length;
  const segments: AxisSegment[] = [];
  let at = from;
  let x = 0;
  const add = (until: number, width: number, folded: boolean) => {
    if (until <= at && segments.length > 0) return;
    segments.push({ from: at, to: until, x0: x, x1: x + width, folded });
    x += width;
    at = until;
  };
  for (const gap of inside) {
    add(gap.from, (gap.from - at) * perMs, false);
    add(gap.to, gapWidth, true);
  }
  add(end, Math.max(0, 1 - x), false);
  return { segments };
}

/** Clamps instants outside the axis. */
export function positionOf({ segments }: TimeAxis, instant: number): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segments[middle]!.to < instant) low = middle + 1;
    else high = middle;
  }
  const { from, to, x0, x1 } = segments[low]!;
  if (to <= from) return x0;
  return x0 + Math.min(1, Math.max(0, (instant - from) / (to - from))) * (x1 - x0);
}

export function instantAt({ segments }: TimeAxis, position: number): number {
  const segment = segments.find(({ x1 }) => position <= x1) ?? segments.at(-1)!;
  const { from, to, x0, x1 } = segment;
  if (x1 <= x0) return from;
  return from + Math.min(1, Math.max(0, (position - x0) / (x1 - x0))) * (to - from);
}

interface AxisTick {
  readonly at: number;
  readonly x: number;
}

/** Round distances, none inside a folded gap, at most about `count`. */
export function axisTicks(axis: TimeAxis, count: number): AxisTick[] {
  const open = axis.segments.filter((segment) => !segment.folded);
  const visible = open.reduce((sum, segment) => sum + segment.to - segment.from, 0);
  const step = STEPS_MS.find((candidate) => visible / candidate <= count) ?? 7 * 86_400_000;
  const ticks: AxisTick[] = [];
  for (const segment of open) {
    for (let at = Math.ceil(segment.from / step) * step; at <= segment.to; at += step) {
      const x = positionOf(axis, at);
      if (x - (ticks.at(-1)?.x ?? -1) >= 0.5 / count) ticks.push({ at, x });
    }
  }
  return ticks;
}

const STEPS_MS = [
  1,
  5,
  10,
  50,
  100,
  500,
  1000,
  2000,
  5000,
  10_000,
  15_000,
  30_000,
  60_000,
  120_000,
  300_000,
  600_000,
  900_000,
  1_800_000,
  3_600_000,
  7_200_000,
  14_400_000,
  28_800_000,
  43_200_000,
  86_400_000,
  2 * 86_400_000,
];

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const MIN_MS = 10;

/**
 * Magnifies by `factor`, around an instant if it is visible.
 * @param visible visible stretch; `undefined` is the complete session
 * @returns `undefined` for the complete session
 */
export function zoomed(
  axis: TimeAxis,
  visible: Stretch | undefined,
  around: number | undefined,
  factor: number,
): Stretch | undefined {
  const left = visible === undefined ? 0 : positionOf(axis, visible.from);
  const right = visible === undefined ? 1 : positionOf(axis, visible.to);
  const width = (right - left) / factor;
  if (width >= 1) return undefined;
  const position = around === undefined ? -1 : positionOf(axis, around);
  const middle = position >= left && position <= right ? position : (left + right) / 2;
  const start = Math.min(1 - width, Math.max(0, middle - width / 2));
  const from = Math.round(instantAt(axis, start));
  const to = Math.round(instantAt(axis, start + width));
  return to - from < MIN_MS ? visible : { from, to };
}
