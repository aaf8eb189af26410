import { derivedId } from "./derived-id.js";
import { formatInstant, instantOf } from "./instant.js";
import { isJsonObject, type JsonObject, textField } from "./json.js";
import { BACKSLASH, CLOSE_BRACE, COMMA, isDigit, OPEN_BRACE, OPEN_BRACKET } from "./json-text/json-bytes.js";
import { JsonLexer } from "./json-text/json-lexer.js";
import { orchestrationEventId } from "./orchestration.js";
import type { RecordBatch } from "./record-batch.js";
import { sortByRuns } from "./sort-by-runs.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "./trace-envelope.js";
import type { TraceKeys, TraceOrder } from "./trace-order.js";

const EVENTS_PER_PAUSE = 256;

/**
 * The merge of one session's trace: runtime envelopes in the order that `orderTrace` found, then orchestration events in
 * chronological order, with sequences that strictly increase along the whole list. It works on keys and on batches of stored
 * text, so that arrays and traces of any size go through the same code, and every byte but a renumbered `sequence` stays as
 * it is stored.
 */
export class TraceSequenceMerge {
  readonly order: TraceOrder;
  /** Used again for each batch: a big trace would else leave its whole size to be collected. */
  #renumbered = Buffer.allocUnsafeSlow(0);

  constructor(order: TraceOrder) {
    this.order = order;
  }

  /**
   * The text of a batch of runtime envelopes, renumbered where the list is. Like that of the batch, it is valid until the next
   * one is asked for.
   *
   * @param batch envelopes in merged order
   * @param at the place of its first envelope in the merged list
   */
  *runtimeText(batch: RecordBatch, at: number): Generator<void, Uint8Array> {
    if (!this.order.renumbered) return batch.text;
    const source = bufferOf(batch.text);
    const most = source.length + batch.size * (SEQUENCE_MEMBER.length + MOST_DIGITS + 1);
    if (this.#renumbered.length < most) this.#renumbered = Buffer.allocUnsafeSlow(most);
    const renumbered = this.#renumbered;
    let copied = 0;
    let length = 0;
    for (let i = 0; i < batch.size; i++) {
      const { from, to, text } = yield* replacement(source, batch.start(i), batch.end(i), at + i);
      length += source.copy(renumbered, length, copied, from);
      length += renumbered.write(text, length, "latin1");
      copied = to;
    }
    length += source.copy(renumbered, length, copied);
    return renumbered.subarray(0, length);
  }

  /**
   * Orchestration events as envelopes, in chronological order, numbered on from the runtime envelopes. The sort is stable,
   * and an event without an instant stays behind the event it was stored after. Never "now": two readings give the same.
   *
   * @param part the places in that order that are wanted, from the first up to, but without, the second. Default is all
   */
  *orchestrationEnvelopes(
    tenantId: string,
    sessionId: string,
    events: readonly unknown[],
    [from, to]: readonly [from: number, to: number] = [0, events.length],
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

/** What takes the place of some bytes. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What gives a record another sequence. A record that is no object is passed through. */
function* replacement(
  source: Buffer,
  start: number,
  end: number,
  sequence: number,
): Generator<void, Replacement> {
  const plain = plainSequence(source.subarray(start, end));
  if (plain !== undefined) return { from: start + plain.from, to: start + plain.to, text: String(sequence) };
  const record = source.subarray(start, end);
  const lexer = new JsonLexer(["sequence"]);
  if ((yield* lexer.readInSteps(record, 0, record.length)) !== "object")
    return { from: start, to: start, text: "" };
  if (lexer.start(0) >= 0) {
    return { from: start + lexer.start(0), to: start + lexer.end(0), text: String(sequence) };
  }
  const inside = record.indexOf(OPEN_BRACE) + 1;
  const isEmpty = record.subarray(inside).every((byte) => byte === CLOSE_BRACE || byte <= 0x20);
  const text = `${SEQUENCE_MEMBER}${sequence}${isEmpty ? "" : ","}`;
  return { from: start + inside, to: start + inside, text };
}

const SEQUENCE_MEMBER = '"sequence":';
const MOST_DIGITS = 16;
const MEMBER = Buffer.from(SEQUENCE_MEMBER);
const NAME_END = Buffer.from('sequence"');
const UNICODE_ESCAPE = Buffer.from("\\u");

/**
 * Where the value of `sequence` lies, for a record as nearly all writers spell it: the name occurs in it once, in front of any
 * member that is a container, and is followed by digits. `undefined` for any other record, which the lexer then reads.
 */
function plainSequence(record: Buffer): { readonly from: number; readonly to: number } | undefined {
  const key = record.indexOf(MEMBER);
  if (key < 1 || record[0] !== OPEN_BRACE) return undefined;
  for (let i = 1; i < key; i++) {
    const byte = record[i];
    // A brace in a string counts too, and a backslash may spell the name otherwise: then the lexer reads the record.
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET || byte === BACKSLASH) return undefined;
  }
  const from = key + MEMBER.length;
  let to = from;
  while (isDigit(record[to]!)) to++;
  if (to === from || (record[to] !== COMMA && record[to] !== CLOSE_BRACE)) return undefined;
  const isOnly = record.indexOf(NAME_END, to) === -1 && record.indexOf(UNICODE_ESCAPE, to) === -1;
  return isOnly ? { from, to } : undefined;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function asTraceEvent(event: unknown): TraceEvent {
  if (!isJsonObject(event)) return { type: "unknown", value: event };
  return typeof event.type === "string" ? (event as TraceEvent) : { ...event, type: "unknown" };
}

/** `-` alone would give NaN for two infinities. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
