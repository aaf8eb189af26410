import { faultText, type RecordingError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { RecorderClock } from "../../application/recording/recording.js";
import { derivedIds } from "../../domain/text/fingerprints.js";
import type { SpanIdentity } from "../../recording/run-span.js";
import { faultReason } from "../files/bytes/line.js";
import type { RecordedSpan } from "../spans/recorded-span.js";
import { identityIn } from "./group-sessions.js";
import type { IndexedSpan } from "./read-spans.js";
import type { SpanGroup } from "./span-groups.js";
import type { StoredSpans } from "./stored-spans.js";

const MOST_WARNINGS = 20;

/**
 * Supports the replay of a group (the traces of one session or of several related ones): a recorder records its stored spans by time.
 * The clock and the IDs depend only on the spans, so that each replay produces the same records.
 */
export class ReportedGroup {
  readonly group: SpanGroup;
  readonly warnings: RecordWarning[] = [];
  readonly clock: RecorderClock;
  /** Milliseconds since the epoch. The caller sets it before it records a span. */
  now = 0;
  readonly #spans: StoredSpans;
  /** ID of the first trace that mentions a span ID. */
  readonly #traces = new Map<string, string>();
  /** Tenant, session and user by trace ID. */
  readonly #identities = new Map<string, SpanIdentity>();
  /** Number of IDs that the clock created. */
  #ids = 0;
  /** Location of the latest span, for warnings. */
  #place: IndexedSpan["place"];

  constructor(group: SpanGroup, spans: StoredSpans) {
    this.group = group;
    const derivedId = derivedIds(`${group.name} `);
    this.clock = { now: () => this.now, newId: () => derivedId(String(this.#ids++)) };
    this.#spans = spans;
    this.#place = group.traces[0]![0]!.place;
    for (const trace of group.traces) {
      for (const { spanId, parentSpanId, traceId } of trace) {
        for (const id of [spanId, parentSpanId ?? spanId])
          if (!this.#traces.has(id)) this.#traces.set(id, traceId);
      }
      this.#identities.set(trace[0]!.traceId, identityIn(trace));
    }
  }

  /**
   * Loads a span and extracts facts. If `read` fails, it adds a warning and uses `otherwise`, so that the replay continues.
   * @param otherwise extracts fewer facts, and must not fail
   * @throws SourceChangedError if the span is no longer there
   */
  read<Facts>(
    stored: IndexedSpan,
    read: (span: RecordedSpan) => Facts,
    otherwise: (span: RecordedSpan) => Facts,
  ): Facts {
    this.#place = stored.place;
    const span = this.#spans.read(stored);
    try {
      return read(span);
    } catch (error) {
      this.#warn(faultReason(error));
      return otherwise(span);
    }
  }

  /** Unique ID of a span in the group. The same span ID in a later trace gets the trace ID as a prefix. */
  idOf(traceId: string, spanId: string): string {
    return this.#traces.get(spanId) === traceId ? spanId : `${traceId}-${spanId}`;
  }

  identityOf(traceId: string): SpanIdentity {
    return this.#identities.get(traceId) ?? {};
  }

  readonly onError = ({ message, cause }: RecordingError): void => {
    this.#warn(cause === undefined ? message : `${message} (${faultText(cause)})`);
  };

  #warn(reason: string): void {
    const { file, line } = this.#place;
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push({ file, line, reason });
  }
}
