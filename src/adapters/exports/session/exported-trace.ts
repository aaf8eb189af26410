import { type JsonObject, objectField, recordIn } from "../../../domain/json/json.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { type EventFacts, readEventFacts } from "../../../domain/spans/event-facts.js";
import type { Span } from "../../../domain/spans/span.js";
import { spanTree } from "../../../domain/spans/span-tree.js";
import { orderTrace, type TraceKeys } from "../../../domain/trace/trace-order.js";
import {
  type KeyedEnvelope,
  keysInSteps,
  TraceSequenceMerge,
} from "../../../domain/trace/trace-sequence-merge.js";

export interface ExportedTrace<Retained> {
  /** Merged order. */
  readonly facts: readonly EventFacts[];
  readonly roots: readonly Span[];
  retainedOf(facts: EventFacts): Retained;
}

/**
 * Selects the event data that a writer retains until the end of the trace.
 * @param line the archive line of the event; `undefined` for an orchestration event
 */
export type Keep<Retained> = (event: JsonObject, facts: EventFacts, line: string | undefined) => Retained;

export class TraceReading<Retained> {
  readonly #keep: Keep<Retained>;
  #facts: EventFacts[] = [];
  #retained: Retained[] = [];
  readonly #keys: KeyedEnvelope[] = [];
  readonly #orchestration: unknown[] = [];

  constructor(keep: Keep<Retained>) {
    this.#keep = keep;
  }

  addEnvelope(line: string): void {
    const record = recordIn(line);
    const envelope = objectField(record, "envelope");
    const { traceId, sequence, timestamp } = envelope as unknown as KeyedEnvelope;
    this.#keys.push({ traceId, sequence, timestamp });
    this.#add(record.sequence === undefined ? envelope : { ...envelope, sequence: record.sequence }, line);
  }

  addEvent(event: unknown): void {
    this.#orchestration.push(event);
  }

  /** @param isPart true if envelopes have the sequences of the complete session */
  *end({ tenantId, sessionId }: SessionKey, isPart: boolean): Generator<void, ExportedTrace<Retained>> {
    const keys = yield* keysInSteps(this.#keys);
    const order = yield* orderTrace(keys);
    if (order.positions !== undefined) this.#reorder(order.positions, keys);
    if (order.renumbered && !isPart)
      this.#facts = this.#facts.map((facts, sequence) => ({ ...facts, sequence }));
    yield;
    const merge = new TraceSequenceMerge(order);
    const envelopes = yield* merge.orchestrationEnvelopes(tenantId, sessionId, this.#orchestration);
    for (const envelope of envelopes) this.#add({ ...envelope }, undefined);
    const [facts, retained] = [this.#facts, this.#retained];
    const roots = yield* spanTree(facts);
    return { facts, roots, retainedOf: ({ index }) => retained[index]! };
  }

  /** An envelope without an id or an instant gets those of its place. */
  #reorder(positions: Uint32Array, { instants }: TraceKeys): void {
    const [read, retained] = [this.#facts, this.#retained];
    let before = 0;
    this.#facts = Array.from(positions, (position, index) => {
      const facts = read[position]!;
      const at = Number.isNaN(instants[position]) ? before : facts.at;
      before = at;
      const id = facts.id === `#${position}` ? `#${index}` : facts.id;
      const startedAt = facts.startedAt === undefined ? undefined : Math.min(facts.startedAt, at);
      return { ...facts, index, id, at, startedAt };
    });
    this.#retained = Array.from(positions, (position) => retained[position]!);
  }

  #add(envelope: JsonObject, line: string | undefined): void {
    const event = objectField(envelope, "event");
    const facts = readEventFacts(envelope, this.#facts.length, this.#facts.at(-1)?.at ?? 0);
    this.#facts.push(facts);
    this.#retained.push(this.#keep(event, facts, line));
  }
}
