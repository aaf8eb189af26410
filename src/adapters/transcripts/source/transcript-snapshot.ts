import { LRUCache } from "lru-cache";
import { SourceChangedError } from "../../../application/errors.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type {
  MessageStream,
  ReadOptions,
  RecordSelection,
  RecordStream,
  TraceStream,
} from "../../../application/ports/record-stream.js";
import type { AnalysisThread } from "../../../application/ports/session-snapshot.js";
import { SharedReadings } from "../../../application/threads/shared-readings.js";
import { batchOf, type RecordBatch } from "../../../domain/json/record-batch.js";
import { ByteFingerprint } from "../../../domain/text/fingerprints.js";
import { laneOf } from "../../files/threads/in-flight.js";
import type { TextBatch } from "../trace/text-batch.js";
import type { Folder, TranscriptTasks } from "./reading-tasks.js";
import type { OpenedMessages, OpenedTrace, OpenedTranscript } from "./transcript-reader.js";

const BATCH_SIZE = 1_024;

const BATCH_BYTES = 256 * 1024;

const MAX_CACHED_BYTES = 8 * 1024 * 1024;

let snapshots = 0;

const OVERHEAD = 1_024;

/** Recent batches of all sessions, so that navigation renders each window once. */
export type RenderedBatches = LRUCache<string, TextBatch>;

export function renderedBatches(): RenderedBatches {
  return new LRUCache({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ text, ends }) => OVERHEAD + text.length + ends.byteLength,
  });
}

export class TranscriptSnapshot {
  readonly #folder: Folder;
  readonly #tasks: TranscriptTasks;
  readonly #pool: ReadingPool;
  readonly #session: OpenedTranscript;
  readonly #lane: number;
  readonly #rendered: RenderedBatches;
  readonly #readings = new SharedReadings<unknown>();
  readonly #derived = new Map<string, unknown>();
  readonly #number = ++snapshots;
  #isOutdated = false;

  constructor(
    folder: Folder,
    tasks: TranscriptTasks,
    pool: ReadingPool,
    rendered: RenderedBatches,
    session: OpenedTranscript,
  ) {
    this.#rendered = rendered;
    this.#folder = folder;
    this.#tasks = tasks;
    this.#pool = pool;
    this.#session = session;
    this.#lane = laneOf(session.files[0].path);
  }

  static laneOfTenant(tenantId: string): number {
    return laneOf(tenantId);
  }

  get revision(): string {
    return this.#session.revision;
  }

  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  async trace(options: ReadOptions): Promise<TraceStream> {
    const request = { ...this.#folder, session: this.#session };
    const { keys, fingerprints, warnings, hasMessages } = await this.#once<OpenedTrace>(
      "trace",
      options,
      (signal) => this.#pool.run(this.#tasks.trace, request, { signal, lane: this.#lane }),
    );
    const read: ReadBatch = (positions, signal) =>
      this.#pool.run(
        this.#tasks.readTrace,
        { ...request, size: keys.size, positions },
        { signal, lane: this.#lane },
      );
    const messagesOf: TraceStream["messagesOf"] = (positions, readOptions) =>
      this.#pool.run(
        this.#tasks.messagesOf,
        { ...request, size: keys.size, positions },
        { ...options, ...readOptions, lane: this.#lane },
      );
    return {
      size: keys.size,
      keys,
      warnings,
      ...(hasMessages ? { messagesOf } : {}),
      fingerprintAt: (position) => fingerprints[position]!,
      read: (selection, readOptions) =>
        batches(this.#reading("trace", read), selection, { ...options, ...readOptions }),
    };
  }

  async messages(agentId: string | undefined, options: ReadOptions): Promise<MessageStream> {
    const request = { ...this.#folder, session: this.#session, agentId: agentId ?? "" };
    const { size, fingerprints, warnings, states, outline } = await this.#once<OpenedMessages>(
      `messages ${agentId ?? ""}`,
      options,
      (signal) => this.#pool.run(this.#tasks.messages, request, { signal, lane: this.#lane }),
    );
    const read: ReadBatch = (positions, signal) =>
      this.#pool.run(
        this.#tasks.readMessages,
        { ...request, states, positions },
        { signal, lane: this.#lane },
      );
    const reading = this.#reading(`messages ${request.agentId}`, read);
    return {
      size,
      warnings,
      outline,
      fingerprintAt: (position) => fingerprints[position]!,
      read: (selection, readOptions) => batches(reading, selection, { ...options, ...readOptions }),
    };
  }

  async orchestrationEvents(options: ReadOptions): Promise<RecordStream> {
    const request = { ...this.#folder, session: this.#session };
    const events = await this.#once<TextBatch>("orchestration", options, (signal) =>
      this.#pool.run(this.#tasks.orchestration, request, { signal, lane: this.#lane }),
    );
    return { size: events.ends.length, warnings: [], read: (selection) => partsOf(events, selection) };
  }

  async analyse(thread: AnalysisThread): Promise<void> {
    const request = { ...this.#folder, session: this.#session };
    await thread.call(this.#tasks.analyse, request).catch((error: unknown) => {
      this.#isOutdated ||= error instanceof SourceChangedError;
      throw error;
    });
  }

  #reading(list: string, readThere: ReadBatch): BatchReading {
    const read: ReadBatch = (positions, signal) =>
      readThere(positions, signal).catch((error: unknown) => {
        this.#isOutdated ||= error instanceof SourceChangedError;
        throw error;
      });
    return { read, readCached: this.#cached(list, read) };
  }

  #cached(list: string, read: ReadBatch): ReadBatch {
    return async (positions, signal) => {
      const fingerprint = new ByteFingerprint();
      fingerprint.add(new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength));
      const key = [this.#number, list, fingerprint.toString()].join("\0");
      const cached = this.#rendered.get(key);
      if (cached !== undefined) return cached;
      const batch = await read(positions, signal);
      this.#rendered.set(key, batch);
      return batch;
    };
  }

  async #once<T>(name: string, options: ReadOptions, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#derived.has(name)) return this.#derived.get(name) as T;
    const answer = await this.#readings.read(name, read, options);
    this.#derived.set(name, answer);
    return answer as T;
  }
}

type ReadBatch = (positions: Uint32Array, signal: AbortSignal | undefined) => Promise<TextBatch>;

interface BatchReading {
  readonly read: ReadBatch;
  readonly readCached: ReadBatch;
}

/** Beyond this size a reading caches no batches: it would evict its own entries. */
const CACHED_OF_READING = MAX_CACHED_BYTES / 2;

async function* batches(
  { read, readCached }: BatchReading,
  { positions, from, to }: RecordSelection,
  { signal }: ReadOptions,
): AsyncGenerator<RecordBatch, void> {
  let bytes = 0;
  const ask = (at: number) => {
    const end = Math.min(to, at + BATCH_SIZE);
    const wanted = positions?.slice(at, end) ?? Uint32Array.from({ length: end - at }, (_, i) => at + i);
    const fingerprint = (bytes < CACHED_OF_READING ? readCached : read)(wanted, signal);
    fingerprint.catch(() => undefined); // The next round awaits it, if there is one.
    return fingerprint;
  };
  let next = from < to ? ask(from) : undefined;
  for (let at = from; next !== undefined; ) {
    const { text, ends } = await next;
    at += ends.length;
    bytes += text.length;
    next = at < to ? ask(at) : undefined;
    yield batchOf(text, ends);
  }
}

async function* partsOf(
  { text, ends }: TextBatch,
  { positions, from, to }: RecordSelection,
): AsyncGenerator<RecordBatch, void> {
  const recordAt = (at: number) => {
    const position = positions?.[at] ?? at;
    return text.subarray(position === 0 ? 0 : ends[position - 1]! + 1, ends[position]);
  };
  for (let at = from; at < to; ) {
    const records: Uint8Array[] = [];
    for (let bytes = 0; at < to && (records.length === 0 || bytes < BATCH_BYTES); at++) {
      const record = recordAt(at);
      records.push(record);
      bytes += record.length;
    }
    yield joined(records);
  }
}

function joined(records: readonly Uint8Array[]): RecordBatch {
  const ends = new Float64Array(records.length);
  let at = 0;
  const parts = records.flatMap((record, i) => {
    at += record.length;
    ends[i] = at++;
    return i === 0 ? [record] : [COMMA, record];
  });
  return batchOf(Buffer.concat(parts), ends);
}

const COMMA = Uint8Array.of(0x2c);
