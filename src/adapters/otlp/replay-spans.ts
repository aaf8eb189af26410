import { closeSync } from "node:fs";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { faultText, type RecordingError, SourceChangedError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { SessionStore } from "../../application/ports/session-store.js";
import { settled } from "../../application/threads/slices.js";
import { derivedId } from "../../domain/text/fingerprints.js";
import { identityOf } from "../../recording/open-span.js";
import { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts, SpanIdentity } from "../../recording/run-span.js";
import { openContained } from "../files/bytes/contained-files.js";
import { faultReason, readPart } from "../files/bytes/line.js";
import { parseLine } from "../files/bytes/parse-line.js";
import type { RecordedSpan } from "../spans/recorded-span.js";
import { factsOf, resultOf } from "../spans/span-facts.js";
import { type IndexedSpan, type RequestLocation, requestOf } from "./read-spans.js";
import { requestSpans } from "./request-spans.js";
import type { SpanGroup } from "./span-groups.js";
import { orderSpans } from "./span-order.js";

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
  try {
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
  } finally {
    // Where a span cannot be read, nothing that was told before may still be written later.
    yield* settled(recorder.flush());
  }
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

/** How much of the files is held as it was parsed, in bytes of them. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Reads spans again from where they lie. Requests that were read lately are held, because spans of one come one after the other. */
export class StoredSpans {
  readonly #root: string;
  readonly #requests = new LRUCache<RequestLocation, readonly RecordedSpan[]>({
    maxSize: MOST_BYTES,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: (_, { length }) => Math.min(MOST_BYTES, Math.max(1, length)),
  });

  constructor(root: string) {
    this.#root = root;
  }

  /** @throws SourceChangedError where it does not lie there any more */
  read({ place, index, spanId }: IndexedSpan): RecordedSpan {
    const known = this.#requests.get(place);
    const spans = known ?? this.#readRequest(place);
    if (known === undefined) this.#requests.set(place, spans);
    const span = spans[index];
    if (span?.spanId !== spanId) throw changed();
    return span;
  }

  #readRequest({ file, start, length }: RequestLocation): readonly RecordedSpan[] {
    const opened = openContained(this.#root, path.join(this.#root, file));
    if (opened === undefined) throw changed();
    try {
      const { bytes } = readPart(opened.descriptor, start, start + length, Buffer.allocUnsafe(length));
      const line = { number: 1, start, length, bytes, from: 0, to: bytes.length, isUtf8: true };
      const { record } = parseLine({ ...line, problem: undefined });
      if (record === undefined) throw changed();
      return requestSpans(requestOf(record));
    } finally {
      closeSync(opened.descriptor);
    }
  }
}

const changed = () => new SourceChangedError("A file of spans was written over while it was being read.");
