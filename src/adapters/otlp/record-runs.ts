import type { SessionStore } from "../../application/ports/session-store.js";
import { settled, WAITING } from "../../application/threads/slices.js";
import { identityOf } from "../../recording/open-span.js";
import { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts } from "../../recording/run-span.js";
import { OWN_ATTRIBUTES, pointsOf, type SpanPoint } from "../spans/own-attributes.js";
import { factsOf, resultOf } from "../spans/span-facts.js";
import type { IndexedSpan } from "./read-spans.js";
import type { ReportedGroup } from "./span-group.js";
import { orderSpans } from "./span-order.js";

export const EVENTS_PER_FLUSH = 500;

/** Number of events after which other tasks may run. It is not a time: the result must not depend on the speed. */
const EVENTS_PER_PAUSE = 50;

/**
 * Replays the spans of a group to a recorder in order of time, so that only the recorder defines the records. The same spans produce the
 * same records.
 */
export function* tellRuns(spanGroup: ReportedGroup, store: SessionStore): Generator<unknown, void> {
  const { group, clock, onError } = spanGroup;
  const recorder = new RunRecorder(store, { clock, onError });
  const points = new WaitingPoints();
  const unfinished: [id: string, stored: IndexedSpan][] = [];
  let events = 0;
  try {
    for (const { span, isEnd } of yield* orderSpans(group.traces)) {
      const { traceId, parentSpanId, stored, from, to } = span;
      const id = spanGroup.idOf(traceId, span.spanId);
      const now = isEnd ? to! : from;
      for (const { spanId, event, at } of points.until(now)) {
        spanGroup.now = at;
        recorder.note(spanId, event, at);
      }
      spanGroup.now = now;
      if (isEnd) recorder.end(id, { ...spanGroup.read(stored!, resultOf, () => ({})), at: to });
      else {
        const parentId = parentSpanId === undefined ? undefined : spanGroup.idOf(traceId, parentSpanId);
        const identity = parentId === undefined ? spanGroup.identityOf(traceId) : {};
        const facts =
          stored === undefined
            ? ABSENT
            : spanGroup.read(stored, factsOf, ({ name }) => ({ ...ABSENT, name }));
        const happened = stored === undefined ? [] : spanGroup.read(stored, pointsOf, () => []);
        points.add(id, happened);
        if (facts.attributes?.[OWN_ATTRIBUTES.unfinished] === true) unfinished.push([id, stored!]);
        recorder.start({
          ...facts,
          ...identity,
          ...identityOf(facts),
          tenantId: group.tenantId,
          id,
          parentId,
          traceId,
          at: stored?.startedAt ?? from,
        });
      }
      if (++events % EVENTS_PER_FLUSH === 0) yield* settled(recorder.flush());
      else if (events % EVENTS_PER_PAUSE === 0) yield WAITING;
    }
    for (const { spanId, event, at } of points.until(Number.POSITIVE_INFINITY)) {
      spanGroup.now = at;
      recorder.note(spanId, event, at);
    }
    for (const [id, stored] of unfinished.reverse())
      recorder.leave(
        id,
        spanGroup.read(stored, resultOf, () => ({})),
      );
  } finally {
    // If a span cannot be read, pending writes of earlier spans must not happen later.
    yield* settled(recorder.flush());
  }
}

interface WaitingPoint extends SpanPoint {
  readonly spanId: string;
}

class WaitingPoints {
  readonly #points: WaitingPoint[] = [];

  add(spanId: string, points: readonly SpanPoint[]): void {
    if (points.length === 0) return;
    for (const { event, at } of points) this.#points.push({ spanId, event, at });
    this.#points.sort((a, b) => b.at - a.at);
  }

  *until(instant: number): Generator<WaitingPoint> {
    for (
      let next = this.#points.at(-1);
      next !== undefined && next.at < instant;
      next = this.#points.at(-1)
    ) {
      this.#points.pop();
      yield next;
    }
  }
}

const ABSENT: RunSpanFacts = { kind: "other", name: "" };
