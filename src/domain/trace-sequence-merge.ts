import { derivedId } from "./derived-id.js";
import { formatInstant, instantOf } from "./instant.js";
import { isJsonObject, type JsonObject, textField } from "./json.js";
import { CLOSE_BRACE, COMMA, isDigit, OPEN_BRACE, OPEN_BRACKET } from "./json-text/json-bytes.js";
import { JsonLexer } from "./json-text/json-lexer.js";
import { orchestrationEventId } from "./orchestration.js";
import type { RecordBatch } from "./record-batch.js";
import { sortByRuns } from "./sort-by-runs.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "./trace-envelope.js";
import type { TraceKeys, TraceOrder } from "./trace-order.js";

const EVENTS_PER_PAUSE = 256;

const encoder = new TextEncoder();

/**
 * The merge of one session's trace: runtime envelopes in the order that `orderTrace` found, then orchestration events in
 * chronological order, with sequences that strictly increase along the whole list. It works on keys and on batches of stored
 * text, so that arrays and traces of any size go through the same code, and every byte but a renumbered `sequence` stays as
 * it is stored.
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
    const parts: Uint8Array[] = [];
    for (let i = 0; i < batch.size; i++) {
      if (i > 0) parts.push(Uint8Array.of(COMMA));
      const record = batch.text.subarray(batch.start(i), batch.end(i));
      parts.push(...(yield* withSequence(record, at + i)));
    }
    return Buffer.concat(parts);
  }

  /**
   * Orchestration events as envelopes, in chronological order, numbered on from the runtime envelopes. The sort is stable,
   * and an event without an instant stays behind the event it was stored after. Never "now": two readings give the same.
   */
  *orchestrationEnvelopes(
    tenantId: string,
    sessionId: string,
    events: readonly unknown[],
  ): Generator<void, WorkflowTraceEventEnvelope[]> {
    const { nextSequence, lastInstant, lastTraceId } = this.order;
    const instants = new Float64Array(events.length);
    let carried = Number.NEGATIVE_INFINITY;
    let earliest = 0;
    for (const [i, event] of events.entries()) {
      const own = isJsonObject(event)
        ? (instantOf(event.occurredAt) ?? instantOf(event.timestamp))
        : undefined;
      if (own !== undefined && (carried === Number.NEGATIVE_INFINITY || own < earliest)) earliest = own;
      carried = own ?? carried;
      instants[i] = carried;
      if (i % EVENTS_PER_PAUSE === EVENTS_PER_PAUSE - 1) yield;
    }
    const order = new Uint32Array(events.length).map((_, i) => i);
    yield* sortByRuns(order, (a, b) => compareNumbers(instants[a]!, instants[b]!) || a - b);
    const envelopes: WorkflowTraceEventEnvelope[] = [];
    for (const [i, position] of order.entries()) {
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

/** Keys of envelopes that are in memory. */
export function keysOfEnvelopes(envelopes: readonly WorkflowTraceEventEnvelope[]): TraceKeys {
  const ordinals = new Map<string, number>();
  const size = envelopes.length;
  const traces = new Uint32Array(size);
  const sequences = new Float64Array(size);
  const instants = new Float64Array(size);
  for (const [i, { traceId, sequence, timestamp }] of envelopes.entries()) {
    const id = typeof traceId === "string" ? traceId : "";
    const ordinal = ordinals.get(id) ?? ordinals.size;
    ordinals.set(id, ordinal);
    traces[i] = ordinal;
    sequences[i] = sequenceOf(sequence);
    instants[i] = instantOf(timestamp) ?? Number.NaN;
  }
  return { size, traces, sequences, instants, traceIds: [...ordinals.keys()] };
}

/** A sequence as a key: `NaN` unless it is an integer from 0 up. */
export function sequenceOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : Number.NaN;
}

/** The pieces of a record with another sequence. A record that is no object is passed through. */
function* withSequence(record: Uint8Array, sequence: number): Generator<void, Uint8Array[]> {
  const digits = encoder.encode(String(sequence));
  const plain = plainSequence(record);
  if (plain !== undefined) return [record.subarray(0, plain.start), digits, record.subarray(plain.end)];
  const lexer = new JsonLexer(["sequence"]);
  if ((yield* lexer.readInSteps(record, 0, record.length)) !== "object") return [record];
  const start = lexer.start(0);
  if (start >= 0) return [record.subarray(0, start), digits, record.subarray(lexer.end(0))];
  const inside = record.indexOf(OPEN_BRACE) + 1;
  const isEmpty = record.subarray(inside).every((byte) => byte === CLOSE_BRACE || byte <= 0x20);
  const member = encoder.encode(`"sequence":${sequence}${isEmpty ? "" : ","}`);
  return [record.subarray(0, inside), member, record.subarray(inside)];
}

const SEQUENCE_KEY = '"sequence":';

/**
 * Where the value of `sequence` lies, for a record as nearly all writers spell it: the name occurs in it once, in front of any
 * member that is a container, and is followed by digits. `undefined` for any other record, which the lexer then reads.
 */
function plainSequence(record: Uint8Array): { readonly start: number; readonly end: number } | undefined {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.length);
  const key = bytes.indexOf(SEQUENCE_KEY, 0, "latin1");
  if (
    key < 1 ||
    bytes[0] !== OPEN_BRACE ||
    bytes.indexOf('sequence"', key + SEQUENCE_KEY.length, "latin1") !== -1
  ) {
    return undefined;
  }
  for (let i = 1; i < key; i++) {
    // A brace in a string counts too, and a backslash may spell the name otherwise: then the lexer reads the record.
    if (bytes[i] === OPEN_BRACE || bytes[i] === OPEN_BRACKET || bytes[i] === 0x5c) return undefined;
  }
  const start = key + SEQUENCE_KEY.length;
  let end = start;
  while (isDigit(bytes[end]!)) end++;
  const isPlain = end > start && (bytes[end] === COMMA || bytes[end] === CLOSE_BRACE);
  return isPlain && bytes.indexOf("\\u", end, "latin1") === -1 ? { start, end } : undefined;
}

function asTraceEvent(event: unknown): TraceEvent {
  if (!isJsonObject(event)) return { type: "unknown", value: event };
  return typeof event.type === "string" ? (event as TraceEvent) : { ...event, type: "unknown" };
}

/** `-` alone would give NaN for two infinities. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
