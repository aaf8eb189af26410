import { isJsonObject, type JsonObject, textField } from "../json/json.js";
import type { RecordBatch } from "../json/record-batch.js";
import { runToEnd } from "../lists/run-to-end.js";
import { derivedId } from "../text/fingerprints.js";
import { formatInstant, instantOf } from "./instant.js";
import { orchestrationEventId } from "./orchestration.js";
import { sortByRuns } from "./sort-by-runs.js";
import { MOST_ADDED, StoredSequences } from "./stored-sequences.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "./trace-envelope.js";
import type { TraceKeys, TraceOrder } from "./trace-order.js";

const EVENTS_PER_PAUSE = 256;

/**
 * Merges one session's trace: runtime envelopes in the order of `orderTrace`, then orchestration events by time, with sequences that
 * strictly increase along the complete list. It works on keys and on batches of stored text. So arrays and traces of any size use the
 * same code, and every byte except a renumbered `sequence` stays as stored.
 */
export class TraceSequenceMerge {
  readonly order: TraceOrder;

  constructor(order: TraceOrder) {
    this.order = order;
  }

  /**
   * The text of a batch of runtime envelopes, renumbered where the list is.
   *
   * @param batch envelopes in merged order
   * @param at the place of its first envelope in the merged list
   */
  *runtimeText(batch: RecordBatch, at: number): Generator<void, Uint8Array> {
    if (!this.order.renumbered) return batch.text;
    const source = batch.text;
    const renumbered = new Uint8Array(source.length + batch.size * MOST_ADDED);
    const stored = new StoredSequences(source);
    let copied = 0;
    let length = 0;
    for (let i = 0; i < batch.size; i++) {
      const start = batch.start(i);
      const end = batch.end(i);
      const place = stored.plain(start, end) ?? (yield* stored.any(start, end));
      if (place === undefined) continue;
      renumbered.set(source.subarray(copied, place.from), length);
      length += place.from - copied;
      const written = `${place.before}${at + i}${place.behind}`;
      for (let k = 0; k < written.length; k++) renumbered[length++] = written.charCodeAt(k);
      copied = place.to;
    }
    renumbered.set(source.subarray(copied), length);
    return renumbered.subarray(0, length + source.length - copied);
  }

  /**
   * Converts orchestration events to envelopes, by time, numbered after the runtime envelopes. The sort is stable, and an event without
   * an instant stays after the event before it. It never uses the present time: two readings return the same.
   *
   * @param part the wanted positions in that order, the first one included, the second one excluded. Default is all
   */
  *orchestrationEnvelopes(
    tenantId: string,
    sessionId: string,
    events: readonly unknown[],
    [from, to]: readonly [from: number, to: number] = [0, events.length],
  ): Generator<void, WorkflowTraceEventEnvelope[]> {
    const { nextSequence, lastInstant, lastTraceId } = this.order;
    const { order, instants, earliest } = yield* orderOrchestration(events);
    const envelopes: WorkflowTraceEventEnvelope[] = [];
    for (let i = from; i < to; i++) {
      const position = order[i]!;
      const event = events[position];
      const fields: JsonObject = isJsonObject(event) ? event : {};
      const instant = instants[position]!;
      envelopes.push({
        id: orchestrationEventId(fields) ?? derivedId(`${tenantId}/${sessionId}/orchestration/${position}`),
        timestamp: formatInstant(Number.isFinite(instant) ? instant : (lastInstant ?? earliest)),
        sequence: nextSequence + i,
        source: "orchestration",
        sessionId,
        tenantId,
        traceId: textField(fields, "traceId") ?? textField(fields, "runId") ?? lastTraceId,
        event: asTraceEvent(event),
      });
      if (i % EVENTS_PER_PAUSE === EVENTS_PER_PAUSE - 1) yield;
    }
    return envelopes;
  }
}

/**
 * Sorts orchestration events by time. The sort is stable, and an event without an instant stays after the event before it.
 *
 * @returns their stored positions in that order, the instants by position, and the first instant of all
 */
export function* orderOrchestration(
  events: readonly unknown[],
): Generator<
  void,
  { readonly order: Uint32Array; readonly instants: Float64Array; readonly earliest: number }
> {
  const instants = new Float64Array(events.length);
  let carried = Number.NEGATIVE_INFINITY;
  let earliest = 0;
  for (const [i, event] of events.entries()) {
    const own = isJsonObject(event) ? (instantOf(event.occurredAt) ?? instantOf(event.timestamp)) : undefined;
    if (own !== undefined && (carried === Number.NEGATIVE_INFINITY || own < earliest)) earliest = own;
    carried = own ?? carried;
    instants[i] = carried;
    if (i % EVENTS_PER_PAUSE === EVENTS_PER_PAUSE - 1) yield;
  }
  const order = new Uint32Array(events.length).map((_, i) => i);
  yield* sortByRuns(order, (a, b) => compareNumbers(instants[a]!, instants[b]!) || a - b);
  return { order, instants, earliest };
}

export type KeyedEnvelope = Pick<WorkflowTraceEventEnvelope, "traceId" | "sequence" | "timestamp">;

/** Keys of envelopes that are in memory. */
export function keysOfEnvelopes(envelopes: readonly KeyedEnvelope[]): TraceKeys {
  return runToEnd(keysInSteps(envelopes));
}

/** The same of many, in steps. */
export function* keysInSteps(envelopes: readonly KeyedEnvelope[]): Generator<void, TraceKeys> {
  const ordinals = new Map<string, number>();
  const size = envelopes.length;
  const traces = new Uint32Array(size);
  const sequences = new Float64Array(size);
  const instants = new Float64Array(size);
  for (const [i, envelope] of envelopes.entries()) {
    // A source of anybody's may hold anything.
    const { traceId, sequence, timestamp }: JsonObject = isJsonObject(envelope) ? envelope : {};
    const id = typeof traceId === "string" ? traceId : "";
    const ordinal = ordinals.get(id) ?? ordinals.size;
    ordinals.set(id, ordinal);
    traces[i] = ordinal;
    sequences[i] = sequenceOf(sequence);
    instants[i] = instantOf(timestamp) ?? Number.NaN;
    if (i % EVENTS_PER_PAUSE === EVENTS_PER_PAUSE - 1) yield;
  }
  return { size, traces, sequences, instants, traceIds: [...ordinals.keys()] };
}

/** A sequence as a key: `NaN` unless it is an integer from 0 up. */
export function sequenceOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : Number.NaN;
}

function asTraceEvent(event: unknown): TraceEvent {
  if (!isJsonObject(event)) return { type: "unknown", value: event };
  return typeof event.type === "string" ? (event as TraceEvent) : { ...event, type: "unknown" };
}

/** `-` alone would give NaN for two infinities. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
