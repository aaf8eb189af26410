import type { ReadOptions, RecordStream, TraceStream } from "../../application/ports/record-stream.js";
import { streamOfTexts } from "../../application/sources/record-streams.js";
import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { type KeyedEnvelope, keysInSteps } from "../../domain/trace/trace-sequence-merge.js";
import { BoundedWarnings } from "./bounded-warnings.js";

export class ArchivedRecords {
  readonly texts: string[] = [];
  readonly warnings = new BoundedWarnings();
  #fingerprints: Float64Array | undefined;

  stream(opened: ReadOptions): RecordStream {
    const { texts } = this;
    return {
      ...streamOfTexts(texts.length, (position) => texts[position]!, opened),
      warnings: this.warnings.list,
      fingerprintAt: (position) => this.#fingerprintAt(position),
    };
  }

  #fingerprintAt(position: number): number {
    this.#fingerprints ??= new Float64Array(this.texts.length).fill(-1);
    const existing = this.#fingerprints[position]!;
    if (existing !== -1) return existing;
    const fingerprint = hash53(this.texts[position]!);
    this.#fingerprints[position] = fingerprint;
    return fingerprint;
  }
}

export class EnvelopeRecords extends ArchivedRecords {
  #keyed: KeyedEnvelope[] = [];
  #keys: TraceKeys = NO_KEYS;
  readonly #visible: number[] = [];
  #showsMessages = false;

  add(text: string, envelope: unknown, shows: number | undefined): void {
    const { traceId, sequence, timestamp }: JsonObject = isJsonObject(envelope) ? envelope : {};
    this.texts.push(text);
    this.#keyed.push({ traceId, sequence, timestamp } as KeyedEnvelope);
    this.#visible.push(shows ?? -1);
    this.#showsMessages ||= shows !== undefined;
  }

  *end(): Generator<void, void> {
    this.#keys = yield* keysInSteps(this.#keyed);
    this.#keyed = [];
  }

  traceStream(messages: number, opened: ReadOptions): TraceStream {
    const stream = { ...this.stream(opened), keys: this.#keys };
    if (!this.#showsMessages) return stream;
    const visibleAt = (position: number) => {
      const visible = this.#visible[position]!;
      return visible < messages ? visible : -1;
    };
    return { ...stream, messagesOf: async (positions) => Int32Array.from(positions, visibleAt) };
  }
}

const NO_KEYS: TraceKeys = {
  size: 0,
  traces: new Uint32Array(),
  sequences: new Float64Array(),
  instants: new Float64Array(),
  traceIds: [],
};
