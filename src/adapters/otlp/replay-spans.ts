import type { RecordingError } from "../../application/errors.js";
import type { SessionStore } from "../../application/ports/session-store.js";
import { settled } from "../../application/settled.js";
import { derivedId } from "../../domain/derived-id.js";
import { identityOf } from "../../recording/open-span.js";
import { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts, SpanIdentity } from "../../recording/run-span.js";
import { factsOf, resultOf } from "../spans/span-facts.js";
import type { IndexedSpan } from "./read-spans.js";
import type { SpanGroup } from "./span-groups.js";
import { orderSpans } from "./span-order.js";
import type { StoredSpans } from "./stored-spans.js";

/** After so many starts and ends it is waited until they are stored. */
const EVENTS_PER_FLUSH = 500;

/**
 * Tells a recorder what the spans of a group tell, in the order of time, as if it had been there: what becomes of a span is defined once, by
 * the recorder. The same spans give the same records.
 *
 * @returns what could not be recorded
 */
export function* replaySpans(
  group: SpanGroup,
  spans: StoredSpans,
  store: SessionStore,
): Generator<unknown, readonly RecordingError[]> {
  const errors: RecordingError[] = [];
  let ids = 0;
  let now = 0;
  const clock = { now: () => now, newId: () => derivedId(`${group.name} ${ids++}`) };
  const recorder = new RunRecorder(store, { clock, onError: (error) => errors.push(error) });
  const names = new SpanNames(group);
  let told = 0;
  for (const { span, isEnd } of yield* orderSpans(group.traces)) {
    const { traceId, parentSpanId, stored, from, to } = span;
    const id = names.idOf(traceId, span.spanId);
    now = isEnd ? to! : from;
    if (isEnd) recorder.end(id, { ...resultOf(spans.read(stored!)), at: to });
    else {
      const parentId = parentSpanId === undefined ? undefined : names.idOf(traceId, parentSpanId);
      const identity = parentId === undefined ? names.identityOf(traceId) : {};
      const facts = stored === undefined ? ABSENT : factsOf(spans.read(stored));
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
    yield;
    if (++told % EVENTS_PER_FLUSH === 0) yield* settled(recorder.flush());
  }
  yield* settled(recorder.flush());
  return errors;
}

/** A parent that has not come: it may yet. */
const ABSENT: RunSpanFacts = { kind: "other", name: "" };

/** What spans are called, and whose their traces are. */
class SpanNames {
  /** The trace that a span's id was found in first. */
  readonly #traces = new Map<string, string>();
  readonly #identities = new Map<string, SpanIdentity>();

  constructor({ traces }: SpanGroup) {
    for (const trace of traces) {
      for (const { spanId, parentSpanId, traceId } of trace) {
        for (const id of [spanId, parentSpanId ?? spanId])
          if (!this.#traces.has(id)) this.#traces.set(id, traceId);
      }
      this.#identities.set(trace[0]!.traceId, identityIn(trace));
    }
  }

  /** Its own id, unless another trace has the same. */
  idOf(traceId: string, spanId: string): string {
    return this.#traces.get(spanId) === traceId ? spanId : `${traceId}-${spanId}`;
  }

  /** What the first spans of a trace that say it say of whose it is. */
  identityOf(traceId: string): SpanIdentity {
    return this.#identities.get(traceId) ?? {};
  }
}

function identityIn(trace: readonly IndexedSpan[]): SpanIdentity {
  const byTime = trace.toSorted((a, b) => a.startedAt - b.startedAt || (a.spanId < b.spanId ? -1 : 1));
  let identity: SpanIdentity = {};
  for (const span of byTime) identity = { ...identityOf(span), ...identity };
  return identity;
}
