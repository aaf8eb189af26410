import { isJsonObject, type JsonObject, textField } from "../json/json.js";
import type { RecordBatch } from "../json/record-batch.js";
import { isPause } from "../lists/is-pause.js";
import { runToEnd } from "../lists/run-to-end.js";
import { derivedId } from "../text/fingerprints.js";
import { formatInstant, instantOf } from "./instant.js";
import { orchestrationEventId } from "./orchestration.js";
import { sortByRuns } from "./sort-by-runs.js";
import { MOST_ADDED, StoredSequences } from "./stored-sequences.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "./trace-envelope.js";
import type { TraceKeys, TraceOrder } from "./trace-order.js";

/**
 * Merges runtime envelopes in the order of `orderTrace` with orchestration events by time, with strictly increasing sequences. Every
 * stored byte except a renumbered `sequence` stays.
 */
export class TraceSequenceMerge {
  readonly order: TraceOrder;

  constructor(order: TraceOrder) {
    this.order = order;
  }

  /**
   * @param batch envelopes in merged order
   * @param at position of its first envelope in the merged list
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
   * Numbers the events after the runtime envelopes. The present time is never used: two readings return the same.
   * @param part positions in that order, the end excluded. Default is all
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
      if (isPause(i)) yield;
    }
    return envelopes;
  }
}

/**
 * Stable sort by time; an event without an instant stays after its predecessor.
 * @returns stored positions in that order, instants by position, and the first instant
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
    if (isPause(i)) yield;
  }
  const order = new Uint32Array(events.length).map((_, i) => i);
  yield* sortByRuns(order, (a, b) => compareNumbers(instants[a]!, instants[b]!) || a - b);
  return { order, instants, earliest };
}

export type KeyedEnvelope = Pick<WorkflowTraceEventEnvelope, "traceId" | "sequence" | "timestamp">;

export function keysOfEnvelopes(envelopes: readonly KeyedEnvelope[]): TraceKeys {
  return runToEnd(keysInSteps(envelopes));
}

export function* keysInSteps(envelopes: readonly KeyedEnvelope[]): Generator<void, TraceKeys> {
  const ordinals = new Map<string, number>();
  const size = envelopes.length;
  const traces = new Uint32Array(size);
  const sequences = new Float64Array(size);
  const instants = new Float64Array(size);
  for (const [i, envelope] of envelopes.entries()) {
    // Foreign sources may contain any value.
    const { traceId, sequence, timestamp }: JsonObject = isJsonObject(envelope) ? envelope : {};
    const id = typeof traceId === "string" ? traceId : "";
    const ordinal = ordinals.get(id) ?? ordinals.size;
    ordinals.set(id, ordinal);
    traces[i] = ordinal;
    sequences[i] = sequenceOf(sequence);
    instants[i] = instantOf(timestamp) ?? Number.NaN;
    if (isPause(i)) yield;
  }
  return { size, traces, sequences, instants, traceIds: [...ordinals.keys()] };
}

/** `NaN` unless it is an integer of at least 0. */
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
