import type {
  ReadOptions,
  RecordSelection,
  RecordStream,
  TraceStream,
} from "../../application/ports/record-stream.js";
import type { OrchestrationLog, SessionSnapshot } from "../../application/ports/session-snapshot.js";
import { logOf } from "../../application/sources/record-streams.js";
import { batchOf, type RecordBatch } from "../../domain/json/record-batch.js";
import { SPAN_TASKS } from "./reading-tasks.js";
import type { OpenedSpans, RecordsName, SessionName } from "./span-reader.js";
import type { SpanThread } from "./span-thread.js";

export interface CachedSession {
  readonly revision: string;
  readonly parts: NonNullable<OpenedSpans["parts"]>;
}

const BATCH_SIZE = 1_024;

/** The thread that derived the session holds its records. */
export class OtlpSnapshot implements SessionSnapshot {
  readonly revision: string;
  readonly #thread: SpanThread;
  readonly #session: SessionName;
  readonly #cached: CachedSession;
  readonly #options: ReadOptions;

  constructor(thread: SpanThread, session: SessionName, cached: CachedSession, options: ReadOptions) {
    this.revision = cached.revision;
    this.#thread = thread;
    this.#session = session;
    this.#cached = cached;
    this.#options = options;
  }

  async trace(): Promise<TraceStream> {
    return { ...this.#stream("trace"), keys: this.#cached.parts.keys };
  }

  async messages(agentId?: string): Promise<RecordStream> {
    return agentId === undefined ? this.#stream("messages") : NO_RECORDS;
  }

  async orchestration(): Promise<OrchestrationLog> {
    return logOf(this.#stream("orchestration"), this.#options);
  }

  #stream(list: RecordsName): RecordStream {
    const fingerprints = this.#cached.parts[list];
    return {
      size: fingerprints.length,
      warnings: [],
      fingerprintAt: (position) => fingerprints[position]!,
      read: (selection, options) => this.#batches(list, selection, { ...this.#options, ...options }),
    };
  }

  async *#batches(
    list: RecordsName,
    { positions, from, to }: RecordSelection,
    options: ReadOptions,
  ): AsyncGenerator<RecordBatch, void> {
    const [session, revision] = [this.#session, this.revision];
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + BATCH_SIZE);
      const wanted = positions?.slice(at, end) ?? Uint32Array.from({ length: end - at }, (_, i) => at + i);
      const request = { session, revision, list, positions: wanted };
      const { text, ends } = await this.#thread.run(SPAN_TASKS.read, request, options);
      at += ends.length;
      this.#options.signal?.throwIfAborted();
      yield batchOf(text, ends);
    }
  }
}

const NO_RECORDS: RecordStream = { size: 0, warnings: [], fingerprintAt: () => 0, async *read() {} };
