import type { SessionStore } from "../../application/ports/session-store.js";
import { settled, WAITING } from "../../application/threads/slices.js";
import { identityOf } from "../../recording/open-span.js";
import { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts } from "../../recording/run-span.js";
import { OWN_ATTRIBUTES, pointsOf, type SpanPoint } from "../spans/own-attributes.js";
import { factsOf, resultOf } from "../spans/span-facts.js";
import type { IndexedSpan } from "./read-spans.js";
import { orderSpans } from "./span-order.js";
import type { ToldGroup } from "./told-group.js";

/** After so many starts and ends it is waited until they are stored. */
export const EVENTS_PER_FLUSH = 500;

/**
 * After so many it is made way for others. The recorder writes meanwhile, so that it is a number and no time: what is written must not depend
 * on how fast it goes.
 */
const EVENTS_PER_PAUSE = 50;

/**
 * Tells a recorder what the spans of a group tell, in the order of time, as if it had been there: what becomes of a span is defined once, by
 * the recorder. The same spans give the same records.
 */
export function* tellRuns(told: ToldGroup, store: SessionStore): Generator<unknown, void> {
  const { group, clock, onError } = told;
  const recorder = new RunRecorder(store, { clock, onError });
  const points = new WaitingPoints();
  const unfinished: [id: string, stored: IndexedSpan][] = [];
  let events = 0;
  try {
    for (const { span, isEnd } of yield* orderSpans(group.traces)) {
      const { traceId, parentSpanId, stored, from, to } = span;
      const id = told.idOf(traceId, span.spanId);
      const now = isEnd ? to! : from;
      for (const { spanId, event, at } of points.until(now)) {
        told.now = at;
        recorder.note(spanId, event, at);
      }
      told.now = now;
      if (isEnd) recorder.end(id, { ...told.read(stored!, resultOf, () => ({})), at: to });
      else {
        const parentId = parentSpanId === undefined ? undefined : told.idOf(traceId, parentSpanId);
        const identity = parentId === undefined ? told.identityOf(traceId) : {};
        const facts =
          stored === undefined ? ABSENT : told.read(stored, factsOf, ({ name }) => ({ ...ABSENT, name }));
        const happened = stored === undefined ? [] : told.read(stored, pointsOf, () => []);
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
      told.now = at;
      recorder.note(spanId, event, at);
    }
    for (const [id, stored] of unfinished.reverse())
      recorder.leave(
        id,
        told.read(stored, resultOf, () => ({})),
      );
  } finally {
    // Where a span cannot be read, nothing that was told before may still be written later.
    yield* settled(recorder.flush());
  }
}

interface WaitingPoint extends SpanPoint {
  readonly spanId: string;
}

/** What happens in spans that have started, until it is its time. */
class WaitingPoints {
  /** The earliest last. */
  readonly #points: WaitingPoint[] = [];

  add(spanId: string, points: readonly SpanPoint[]): void {
    if (points.length === 0) return;
    for (const { event, at } of points) this.#points.push({ spanId, event, at });
    this.#points.sort((a, b) => b.at - a.at);
  }

  /** Those before an instant, in their order. */
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

/** A parent that has not come: it may yet. */
const ABSENT: RunSpanFacts = { kind: "other", name: "" };
