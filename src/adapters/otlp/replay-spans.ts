import { faultText, type RecordingError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { SessionStore } from "../../application/ports/session-store.js";
import { settled } from "../../application/threads/slices.js";
import { derivedId } from "../../domain/text/derived-id.js";
import { identityOf } from "../../recording/open-span.js";
import { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts, SpanIdentity } from "../../recording/run-span.js";
import { faultReason } from "../files/bytes/line.js";
import type { RecordedSpan } from "../spans/recorded-span.js";
import { factsOf, resultOf } from "../spans/span-facts.js";
import type { IndexedSpan } from "./read-spans.js";
import type { SpanGroup } from "./span-groups.js";
import { orderSpans } from "./span-order.js";
import type { StoredSpans } from "./stored-spans.js";

/** After so many starts and ends it is waited until they are stored. */
const EVENTS_PER_FLUSH = 500;

/** So many warnings are kept of a group. */
const MOST_WARNINGS = 20;

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
): Generator<unknown, readonly RecordWarning[]> {
  const warnings: RecordWarning[] = [];
  let ids = 0;
  let now = 0;
  let { place } = group.traces[0]![0]!;
  const warn = (reason: string) => {
    if (warnings.length < MOST_WARNINGS) warnings.push({ file: place.file, line: place.line, reason });
  };
  /** What is read of a span that nobody expected to fail takes nothing else with it. */
  const safely = <Facts>(
    stored: IndexedSpan,
    read: (span: RecordedSpan) => Facts,
    otherwise: (span: RecordedSpan) => Facts,
  ): Facts => {
    const span = spans.read(stored);
    try {
      return read(span);
    } catch (error) {
      warn(faultReason(error));
      return otherwise(span);
    }
  };
  const clock = { now: () => now, newId: () => derivedId(`${group.name} ${ids++}`) };
  const recorder = new RunRecorder(store, { clock, onError: (error) => warn(reasonOf(error)) });
  const names = new SpanNames(group);
  let told = 0;
  for (const { span, isEnd } of yield* orderSpans(group.traces)) {
    const { traceId, parentSpanId, stored, from, to } = span;
    const id = names.idOf(traceId, span.spanId);
    now = isEnd ? to! : from;
    place = stored?.place ?? place;
    if (isEnd) recorder.end(id, { ...safely(stored!, resultOf, () => ({})), at: to });
    else {
      const parentId = parentSpanId === undefined ? undefined : names.idOf(traceId, parentSpanId);
      const identity = parentId === undefined ? names.identityOf(traceId) : {};
      const facts =
        stored === undefined ? ABSENT : safely(stored, factsOf, ({ name }) => ({ ...ABSENT, name }));
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
  return warnings;
}

function reasonOf({ message, cause }: RecordingError): string {
  return cause === undefined ? message : `${message} (${faultText(cause)})`;
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
