import { randomUUID } from "node:crypto";
import type {
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoreCallOptions,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../../application/ports/session-store.js";
import type { Message } from "../../domain/conversation/message.js";
import { textField } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { numberFrom } from "../../domain/options/option-kinds.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { orchestrationEventId } from "../../domain/trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { Database } from "./database.js";
import { DatabaseWriter } from "./session-writer.js";
import { keyOfId, type RecordList, recordOfText } from "./stored-records.js";

export interface PostgresSessionStoreOptions {
  /** Time for repeated attempts while the database cannot be reached, in milliseconds. Default is 30 seconds. */
  readonly retryForMs?: number | undefined;
  /** Maximum size of the records that wait for the database, in bytes; above it calls are refused. Default is 64 MiB. */
  readonly maxWaitingBytes?: number | undefined;
}

export const POSTGRES_STORE_OPTIONS = {
  retryForMs: numberFrom(0, "a number of milliseconds"),
  maxWaitingBytes: numberFrom(0, "a number of bytes"),
} satisfies OptionTable<PostgresSessionStoreOptions>;

/**
 * Writes the layout that `PostgresDataSource` reads. Several processes may write to one session; the calls of each stay in order. A
 * record with an ID that the session already holds is stored once.
 */
export class PostgresSessionStore implements SessionStore {
  readonly #database: Database;
  readonly #writer: DatabaseWriter;

  constructor(database: Database, options: PostgresSessionStoreOptions = {}) {
    this.#database = database;
    this.#writer = new DatabaseWriter(database, {
      retryForMs: options.retryForMs ?? 30_000,
      maxWaitingBytes: options.maxWaitingBytes ?? 64 * 1024 * 1024,
    });
  }

  openSession(start: SessionStart): Promise<{ readonly turns: number }> {
    return this.#writer.write(start, { kind: "open", start: { ...start }, key: randomUUID() });
  }

  updateSession(session: SessionKey, update: SessionUpdate, options?: StoreCallOptions): Promise<void> {
    return this.#append(session, "log", [{ type: "update", ...update }], options);
  }

  appendTurn(session: SessionKey, turn: TurnRecord, options?: StoreCallOptions): Promise<void> {
    return this.#append(session, "log", [{ type: "turn", ...turn }], options);
  }

  appendTraceEnvelopes(
    session: SessionKey,
    envelopes: readonly WorkflowTraceEventEnvelope[],
    options?: StoreCallOptions,
  ): Promise<void> {
    const idOf = (envelope: WorkflowTraceEventEnvelope) => textField({ ...envelope }, "id");
    return this.#append(session, "trace", envelopes, options, idOf);
  }

  appendOrchestrationEvents(
    session: SessionKey,
    events: readonly StoredOrchestrationEvent[],
    options?: StoreCallOptions,
  ): Promise<void> {
    return this.#append(session, "orchestration", events, options, orchestrationEventId);
  }

  appendMessages(
    session: SessionKey,
    messages: readonly Message[],
    options?: StoreCallOptions,
  ): Promise<void> {
    return this.#append(session, "messages", messages, options);
  }

  async replaceMessages(
    session: SessionKey,
    messages: readonly Message[],
    options?: StoreCallOptions,
  ): Promise<void> {
    const keyOf = keysOfCall(options);
    const log = recordOfText(JSON.stringify({ type: "compaction", updatedAt: Date.now() }), keyOf("log"));
    const records = messages.map((message, i) => recordOfText(jsonTextOf(message)!, keyOf(i)));
    await this.#writer.write(session, { kind: "replace", log, messages: records });
  }

  async close(): Promise<void> {
    await this.#writer.idle();
    await this.#database.close();
  }

  /** Makes text before the first await: afterwards the caller may change the records. */
  async #append<T extends object>(
    session: SessionKey,
    list: RecordList,
    records: readonly T[],
    options: StoreCallOptions | undefined,
    idOf: (record: T) => string | undefined = () => undefined,
  ): Promise<void> {
    if (records.length === 0) return;
    const keyOf = keysOfCall(options);
    const stored = records.map((record, i) => {
      const id = idOf(record);
      return recordOfText(jsonTextOf(record)!, id === undefined ? keyOf(i) : keyOfId(id));
    });
    await this.#writer.write(session, { kind: "append", list, records: stored });
  }
}

function keysOfCall({ callId }: StoreCallOptions = {}): (place: number | string) => string {
  return callId === undefined ? () => randomUUID() : (place) => keyOfId(`${callId}\0${place}`);
}
