import { isPause } from "../../domain/lists/is-pause.js";
import type { IndexedSpan } from "./read-spans.js";

interface SpanBoundary {
  readonly span: OrderedSpan;
  readonly isEnd: boolean;
}

interface OrderedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly stored: IndexedSpan | undefined;
  from: number;
  readonly to: number | undefined;
  /** Reported end: no earlier than a part that failed a moment later. */
  reportedTo: number | undefined;
  depth: number;
}

/**
 * Yields starts and ends of spans in order of time, parents around their children. A failed parent ends after a child that failed a
 * moment later, so that both count as one failure.
 */
export function* orderSpans(
  traces: readonly (readonly IndexedSpan[])[],
): Generator<void, readonly SpanBoundary[]> {
  const spans: OrderedSpan[] = [];
  for (const trace of traces) for (const span of yield* orderedTrace(trace)) spans.push(span);
  const byId = (a: OrderedSpan, b: OrderedSpan) => (key(a) < key(b) ? -1 : 1);
  const starts = spans.toSorted((a, b) => a.from - b.from || a.depth - b.depth || byId(a, b));
  yield;
  const ends = spans
    .filter(({ reportedTo }) => reportedTo !== undefined)
    .sort((a, b) => a.reportedTo! - b.reportedTo! || b.depth - a.depth || byId(a, b));
  yield;
  const events: SpanBoundary[] = [];
  const started = new Set<OrderedSpan>();
  let next = 0;
  for (const span of starts) {
    for (; next < ends.length; next++) {
      const end = ends[next]!;
      const isEarlier = end.reportedTo! < span.from;
      const isBefore = end.reportedTo === span.from && started.has(end) && end.depth >= span.depth;
      if (!isEarlier && !isBefore) break;
      events.push({ span: end, isEnd: true });
    }
    started.add(span);
    events.push({ span, isEnd: false });
    if (isPause(events.length)) yield;
  }
  for (const span of ends.slice(next)) events.push({ span, isEnd: true });
  return events;
}

const key = ({ traceId, spanId }: OrderedSpan) => `${traceId} ${spanId}`;

function* orderedTrace(trace: readonly IndexedSpan[]): Generator<void, Iterable<OrderedSpan>> {
  const spansById = new Map<string, OrderedSpan>();
  let count = 0;
  for (const stored of trace) {
    const { traceId, spanId, parentSpanId, startedAt: from, endedAt } = stored;
    const to = endedAt === undefined ? undefined : Math.max(from, endedAt);
    spansById.set(spanId, { traceId, spanId, parentSpanId, stored, from, to, reportedTo: to, depth: 0 });
    if (isPause(++count)) yield;
  }
  for (const { traceId, parentSpanId, startedAt: from } of trace) {
    if (parentSpanId === undefined || spansById.has(parentSpanId)) continue;
    const absent = { traceId, spanId: parentSpanId, parentSpanId: undefined, stored: undefined };
    spansById.set(parentSpanId, { ...absent, from, to: undefined, reportedTo: undefined, depth: 0 });
  }
  for (const span of spansById.values()) {
    nestUnderParents(span, spansById);
    if (isPause(++count)) yield;
  }
  return spansById.values();
}

const MOST_DEPTH = 1_000;

/** Maximum delay of a failed span's end after the failure of its part, in milliseconds. */
const SAME_END_MS = 10;

function nestUnderParents(span: OrderedSpan, spansById: ReadonlyMap<string, OrderedSpan>): void {
  let around = parentOf(span, spansById);
  let failed = span.stored?.hasFailed === true ? span : undefined;
  for (; around !== undefined && span.depth < MOST_DEPTH; around = parentOf(around, spansById)) {
    span.depth++;
    around.from = Math.min(around.from, span.from);
    failed = failed && endsWith(failed, around) ? around : undefined;
  }
}

function endsWith({ reportedTo }: OrderedSpan, around: OrderedSpan): boolean {
  if (reportedTo === undefined || around.reportedTo === undefined || reportedTo - around.to! >= SAME_END_MS)
    return false;
  around.reportedTo = Math.max(around.reportedTo, reportedTo);
  return true;
}

function parentOf({ parentSpanId }: OrderedSpan, spansById: ReadonlyMap<string, OrderedSpan>) {
  return parentSpanId === undefined ? undefined : spansById.get(parentSpanId);
}
