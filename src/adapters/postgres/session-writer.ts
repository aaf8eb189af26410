import { SourceUnavailableError } from "../../application/errors.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { Database } from "./database.js";
import type { WriteOperation, WriteResult } from "./session-changes.js";
import { SessionQueue } from "./session-queue.js";
import type { StoredRecord } from "./stored-records.js";

export interface SessionWriterOptions {
  readonly retryForMs: number;
  readonly maxWaitingBytes: number;
}

/** Writes to sessions, each in the order of the calls, different ones at the same time. */
export class SessionWriter {
  readonly #database: Database;
  readonly #options: SessionWriterOptions;
  readonly #queues = new Map<string, SessionQueue>();
  #waitingBytes = 0;

  constructor(database: Database, options: SessionWriterOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** @throws SourceUnavailableError where the database cannot be reached for too long, or too much waits for it already */
  async write(session: SessionKey, operation: WriteOperation): Promise<WriteResult> {
    const bytes = recordsOf(operation).reduce((sum, record) => sum + record.bytes, 0);
    const { maxWaitingBytes } = this.#options;
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > maxWaitingBytes) {
      throw new SourceUnavailableError(`More than ${maxWaitingBytes} bytes wait for the database already.`);
    }
    this.#waitingBytes += bytes;
    try {
      return await this.#queueOf(session).write(operation, bytes);
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

function recordsOf(operation: WriteOperation): readonly StoredRecord[] {
  switch (operation.kind) {
    case "append":
      return operation.records;
    case "replace":
      return operation.messages;
    case "open":
    case "describe":
      return [];
    default:
      return operation satisfies never;
  }
}
