import type { IndexedSpan } from "./read-spans.js";

/** The start or the end of a span. */
interface SpanBoundary {
  readonly span: OrderedSpan;
  readonly isEnd: boolean;
}

/** A span among those of its trace; one that is only named, as a parent, has no `stored`. */
interface OrderedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly stored: IndexedSpan | undefined;
  /** Reported start: no later than the start of its parts. */
  from: number;
  readonly to: number | undefined;
  /** Reported end: no earlier than a part that failed a moment later. */
  toldTo: number | undefined;
  depth: number;
}

const SPANS_PER_PAUSE = 1_000;

/**
 * Yields starts and ends of spans in order of time. Parents start before their children and end after them. A failed parent also ends
 * after a failed child that ended a moment later, so that both count as one failure. A missing parent only starts.
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
    .filter(({ toldTo }) => toldTo !== undefined)
    .sort((a, b) => a.toldTo! - b.toldTo! || b.depth - a.depth || byId(a, b));
  yield;
  const events: SpanBoundary[] = [];
  const started = new Set<OrderedSpan>();
  let next = 0;
  for (const span of starts) {
    for (; next < ends.length; next++) {
      const end = ends[next]!;
      const isEarlier = end.toldTo! < span.from;
      const isBefore = end.toldTo === span.from && started.has(end) && end.depth >= span.depth;
      if (!isEarlier && !isBefore) break;
      events.push({ span: end, isEnd: true });
    }
    started.add(span);
    events.push({ span, isEnd: false });
    if (events.length % SPANS_PER_PAUSE === 0) yield;
  }
  for (const span of ends.slice(next)) events.push({ span, isEnd: true });
  return events;
}

const key = ({ traceId, spanId }: OrderedSpan) => `${traceId} ${spanId}`;

function* orderedTrace(trace: readonly IndexedSpan[]): Generator<void, Iterable<OrderedSpan>> {
  const known = new Map<string, OrderedSpan>();
  let count = 0;
  for (const stored of trace) {
    const { traceId, spanId, parentSpanId, startedAt: from, endedAt } = stored;
    const to = endedAt === undefined ? undefined : Math.max(from, endedAt);
    known.set(spanId, { traceId, spanId, parentSpanId, stored, from, to, toldTo: to, depth: 0 });
    if (++count % SPANS_PER_PAUSE === 0) yield;
  }
  for (const { traceId, parentSpanId, startedAt: from } of trace) {
    if (parentSpanId === undefined || known.has(parentSpanId)) continue;
    const absent = { traceId, spanId: parentSpanId, parentSpanId: undefined, stored: undefined };
    known.set(parentSpanId, { ...absent, from, to: undefined, toldTo: undefined, depth: 0 });
  }
  for (const span of known.values()) {
    nestUnderParents(span, known);
    if (++count % SPANS_PER_PAUSE === 0) yield;
  }
  return known.values();
}

/** Deeper spans are all alike: parents may even form a circle. */
const MOST_DEPTH = 1_000;

/** Maximum delay of a failed span's reported end after the failure of its part, in milliseconds: the ends are read one after the other. */
const SAME_END_MS = 10;

function nestUnderParents(span: OrderedSpan, known: ReadonlyMap<string, OrderedSpan>): void {
  let around = parentOf(span, known);
  let failed = span.stored?.hasFailed === true ? span : undefined;
  for (; around !== undefined && span.depth < MOST_DEPTH; around = parentOf(around, known)) {
    span.depth++;
    around.from = Math.min(around.from, span.from);
    failed = failed && endsWith(failed, around) ? around : undefined;
  }
}

/**
 * Moves the reported end of a span to that of its part, if the part ended in the same moment.
 *
 * @returns true if it did
 */
function endsWith({ toldTo }: OrderedSpan, around: OrderedSpan): boolean {
  if (toldTo === undefined || around.toldTo === undefined || toldTo - around.to! >= SAME_END_MS) return false;
  around.toldTo = Math.max(around.toldTo, toldTo);
  return true;
}

function parentOf({ parentSpanId }: OrderedSpan, known: ReadonlyMap<string, OrderedSpan>) {
  return parentSpanId === undefined ? undefined : known.get(parentSpanId);
}
