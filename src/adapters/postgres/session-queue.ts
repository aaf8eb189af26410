import { setTimeout as delay } from "node:timers/promises";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { Database } from "./database.js";
import { isDuplicate, isUnavailable, isWorthRetrying } from "./database-errors.js";
import type { WriteOperation, WriteResult } from "./session-changes.js";
import { writeBatch } from "./write-batch.js";

/** How much of a queue goes into one transaction, once one operation is in it. */
const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 1024 * 1024;

/** How long one waits before the first repetition; each one after it waits twice as long, up to the longest. */
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

interface Waiting {
  readonly operation: WriteOperation;
  readonly bytes: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What is to be written to one session, in the order of the calls. What is asked for while a transaction is under way goes
 * into the next one together.
 */
export class SessionQueue {
  readonly #database: Database;
  readonly #session: SessionKey;
  readonly #retryForMs: number;
  readonly #onIdle: () => void;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param retryForMs for how long a batch is tried again while the database cannot be reached
   * @param onIdle told when nothing waits any more; the queue is not used after that
   */
  constructor(database: Database, session: SessionKey, retryForMs: number, onIdle: () => void) {
    this.#database = database;
    this.#session = session;
    this.#retryForMs = retryForMs;
    this.#onIdle = onIdle;
  }

  write(operation: WriteOperation, bytes: number): Promise<WriteResult> {
    const result = new Promise<WriteResult>((resolve, reject) => {
      this.#waiting.push({ operation, bytes, resolve, reject });
    });
    this.#running ??= this.#run();
    return result;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // What is called for in the same turn of the event loop belongs together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#writeSome(this.#takeBatch());
    this.#onIdle();
  }

  #takeBatch(): Waiting[] {
    let records = 0;
    let bytes = 0;
    const end = this.#waiting.findIndex((waiting, i) => {
      records += countRecords(waiting.operation);
      bytes += waiting.bytes;
      return i > 0 && (records > BATCH_RECORDS || bytes > BATCH_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** Writes a batch; where the database refuses it, one by one, so that only the operation that it refuses fails. */
  async #writeSome(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#writeAll(batch.map(({ operation }) => operation));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]!);
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await this.#writeSome([waiting]);
    }
  }

  /**
   * Writes operations in one transaction, again and again while the connection is lost. Whether the lost one was committed
   * nobody knows; so the repetition looks for the records first, and leaves those that are there.
   */
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

function countRecords(operation: WriteOperation): number {
  switch (operation.kind) {
    case "append":
      return operation.records.length;
    case "replace":
      return operation.messages.length + 1;
    case "open":
    case "describe":
      return 1;
    default:
      return operation satisfies never;
  }
}
