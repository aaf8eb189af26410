import { setTimeout as delay } from "node:timers/promises";
import { RecordingError, SourceUnavailableError } from "../../application/errors.js";
import { LONGEST_ID } from "../../domain/session/ids.js";
import { keyText, type SessionKey } from "../../domain/session/session-key.js";
import type { Database } from "./database.js";
import { isDuplicate, isUnavailable, isWorthRetrying } from "./database-errors.js";
import { recordsOf, type WriteOperation, type WriteResult } from "./session-changes.js";
import { writeBatch } from "./write-batch.js";

const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 1024 * 1024;

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

interface SessionWriterOptions {
  readonly retryForMs: number;
  readonly maxWaitingBytes: number;
}

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
   * @throws SourceUnavailableError if the database is unreachable for too long, or too much waits for it
   * @throws RecordingError for IDs that are too long for the index of sessions
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
    const key = keyText({ tenantId, sessionId });
    const existing = this.#queues.get(key);
    if (existing !== undefined) return existing;
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
 * Writes to one session in the order of the calls; those that arrive during a transaction form the next one. After a database failure,
 * waiting calls are rejected too: a repeated call would otherwise come after them.
 */
class SessionQueue {
  readonly #database: Database;
  readonly #session: SessionKey;
  readonly #retryForMs: number;
  readonly #onIdle: () => void;
  readonly #waiting: Waiting[] = [];
  #alone = 0;
  #isRefusing = false;
  #running: Promise<void> | undefined;

  constructor(database: Database, session: SessionKey, retryForMs: number, onIdle: () => void) {
    this.#database = database;
    this.#session = session;
    this.#retryForMs = retryForMs;
    this.#onIdle = onIdle;
  }

  get isRefusing(): boolean {
    return this.#isRefusing;
  }

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

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
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

  /** If the database refuses a batch, each operation is written alone, so that only the refused one fails. */
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

  /** A lost connection may have committed the transaction, so a repetition skips stored records. */
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
