import { setTimeout as delay } from "node:timers/promises";
import { RecordingError, SourceUnavailableError } from "../../application/errors.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import { LONGEST_ID } from "../../domain/session/ids.js";
import type { Database } from "./database.js";
import { isDuplicate, isUnavailable, isWorthRetrying } from "./database-errors.js";
import { recordsOf, type WriteOperation, type WriteResult } from "./session-changes.js";
import { writeBatch } from "./write-batch.js";

/** Maximum size of one transaction; a single operation may be larger. */
const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 1024 * 1024;

/** The delay before the first repetition; each later one is twice as long, up to the longest. */
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

interface SessionWriterOptions {
  readonly retryForMs: number;
  readonly maxWaitingBytes: number;
}

/** Writes to sessions, each in the order of the calls, different ones at the same time. */
export class DatabaseWriter {
  readonly #database: Database;
  readonly #options: SessionWriterOptions;
  readonly #queues = new Map<string, SessionQueue>();
  #waitingBytes = 0;

  constructor(database: Database, options: SessionWriterOptions) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * @throws SourceUnavailableError where the database cannot be reached for too long, or too much waits for it already
   * @throws RecordingError for ids that are longer than the index of all sessions holds
   */
  async write(session: SessionKey, operation: WriteOperation): Promise<WriteResult> {
    if (session.tenantId.length > LONGEST_ID || session.sessionId.length > LONGEST_ID) {
      throw new RecordingError(`Ids must not be longer than ${LONGEST_ID} characters.`);
    }
    const records = recordsOf(operation).flatMap(([, added]) => added);
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    const { maxWaitingBytes } = this.#options;
    const queue = this.#queueOf(session);
    const isTooMuch = this.#waitingBytes > 0 && this.#waitingBytes + bytes > maxWaitingBytes;
    if (isTooMuch || queue.isRefusing) {
      queue.refuse();
      throw new SourceUnavailableError(`More than ${maxWaitingBytes} bytes wait for the database already.`);
    }
    this.#waitingBytes += bytes;
    try {
      return await queue.write(operation, records.length, bytes);
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.idle()));
  }

  #queueOf({ tenantId, sessionId }: SessionKey): SessionQueue {
    const key = `${tenantId}\0${sessionId}`;
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue = new SessionQueue(this.#database, { tenantId, sessionId }, this.#options.retryForMs, () => {
      this.#queues.delete(key);
    });
    this.#queues.set(key, queue);
    return queue;
  }
}

interface Waiting {
  readonly operation: WriteOperation;
  readonly records: number;
  readonly bytes: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes to one session in the order of the calls: all operations that arrive during a transaction go into the next one. A caller may repeat a call
 * that failed because of the database. The calls that wait after it are rejected, too: otherwise they would be stored before it.
 */
class SessionQueue {
  readonly #database: Database;
  readonly #session: SessionKey;
  readonly #retryForMs: number;
  readonly #onIdle: () => void;
  readonly #waiting: Waiting[] = [];
  /** Number of following operations that are written alone, because the database refused one of them. */
  #alone = 0;
  #isRefusing = false;
  #running: Promise<void> | undefined;

  /**
   * @param retryForMs for how long a batch is tried again while the database cannot be reached
   * @param onIdle called when the queue is empty; it is not used after that
   */
  constructor(database: Database, session: SessionKey, retryForMs: number, onIdle: () => void) {
    this.#database = database;
    this.#session = session;
    this.#retryForMs = retryForMs;
    this.#onIdle = onIdle;
  }

  /** True if a call was refused since the queue was last empty: the following calls are refused as well. */
  get isRefusing(): boolean {
    return this.#isRefusing;
  }

  /** Refuses calls until nothing waits. */
  refuse(): void {
    this.#isRefusing = true;
    this.#running ??= this.#run();
  }

  write(operation: WriteOperation, records: number, bytes: number): Promise<WriteResult> {
    const result = new Promise<WriteResult>((resolve, reject) => {
      this.#waiting.push({ operation, records, bytes, resolve, reject });
    });
    this.#running ??= this.#run();
    return result;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Operations of the same turn of the event loop go into one transaction.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#writeSome(this.#takeBatch());
    this.#onIdle();
  }

  #takeBatch(): Waiting[] {
    if (this.#alone > 0) {
      this.#alone--;
      return this.#waiting.splice(0, 1);
    }
    let records = 0;
    let bytes = 0;
    const end = this.#waiting.findIndex((waiting, i) => {
      records += waiting.records;
      bytes += waiting.bytes;
      return i > 0 && (records > BATCH_RECORDS || bytes > BATCH_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** Writes a batch. Where the database refuses it, each operation is written alone, so that only the refused one fails. */
  async #writeSome(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#writeAll(batch.map(({ operation }) => operation));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]!);
    } catch (error) {
      if (isUnavailable(error)) {
        this.#alone = 0;
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(error);
      } else if (batch.length === 1) batch[0]!.reject(error);
      else {
        this.#alone = batch.length;
        this.#waiting.unshift(...batch);
      }
    }
  }

  /** Writes operations in one transaction. A lost connection may have committed it, so a repetition looks up what is stored, and skips that. */
  async #writeAll(operations: readonly WriteOperation[]): Promise<WriteResult[]> {
    const begun = performance.now();
    let isRepeated = false;
    for (let wait = FIRST_DELAY_MS; ; wait = Math.min(LONGEST_DELAY_MS, wait * 2)) {
      try {
        return await this.#database.transaction((query) =>
          writeBatch(query, this.#database.schema, this.#session, operations, isRepeated),
        );
      } catch (error) {
        const isFirstDuplicate = isDuplicate(error) && !isRepeated;
        isRepeated = true;
        if (isFirstDuplicate) continue;
        if (!isWorthRetrying(error) || performance.now() - begun + wait > this.#retryForMs) throw error;
        await delay(wait * (0.5 + Math.random() / 2));
      }
    }
  }
}
