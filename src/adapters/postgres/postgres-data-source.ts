import { LRUCache } from "lru-cache";
import type { InspectorDataSource, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { ReadOptions, RecordStream, TraceStream } from "../../application/ports/record-stream.js";
import { breathe } from "../../application/slices.js";
import type { Message } from "../../domain/message.js";
import type { OrchestrationSnapshot } from "../../domain/orchestration.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace-envelope.js";
import type { Database } from "./database.js";
import { findItemTextsQuery, findSessionsQuery } from "./find-sessions.js";
import type { Row } from "./lease.js";
import { readState } from "./orchestration-checkpoint.js";
import { NO_STORED_KEYS, type StoredTraceKeys } from "./read-trace-keys.js";
import { RECORD_TABLES, type RecordList, type RecordRange } from "./record-lists.js";
import { toItem } from "./session-summary.js";
import { toStoredText } from "./stored-text.js";
import { readAllRecords, streamRecords } from "./stream-records.js";

export interface PostgresDataSourceOptions {
  /** About how much memory may go into the keys of traces, in bytes. Default is 32 MiB. */
  readonly cacheBytes?: number | undefined;
  /** The clock, in milliseconds since the epoch: it decides what is running. Default is the system's. */
  readonly now?: (() => number) | undefined;
}

/** How many rows of the list are read at a time. */
const ROWS = 1_000;

/** Up to how many texts are read at once: more than the longest page has. */
const TEXTS = 2_000;

/** Reads what any number of `PostgresSessionStore`s write. */
export class PostgresDataSource implements InspectorDataSource {
  readonly #database: Database;
  readonly #now: () => number;
  /** By incarnation: a session that is deleted and written anew is another one. */
  readonly #keys: LRUCache<string, StoredTraceKeys>;

  constructor(database: Database, options: PostgresDataSourceOptions = {}) {
    this.#database = database;
    this.#now = options.now ?? Date.now;
    this.#keys = new LRUCache({ maxSize: options.cacheBytes ?? 32 * 1024 * 1024 });
  }

  listSessions(options?: ReadOptions): Promise<InspectorSessionItem[]> {
    return this.findSessions({}, options);
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<InspectorSessionItem[]> {
    const now = this.#now();
    const { text, values } = findSessionsQuery(this.#database.schema, search, now);
    if (search.limit !== undefined && search.limit <= ROWS) {
      const rows = await this.#database.query(text, values, options);
      return rows.map((row) => toItem(row, now));
    }
    const items: InspectorSessionItem[] = [];
    for await (const rows of this.#database.cursor(text, values, ROWS, options)) {
      for (const row of rows) items.push(toItem(row, now));
      await breathe();
    }
    return items;
  }

  /** None of a page with a row that older code wrote: its text is missing, or that of an earlier revision. */
  async findSessionTexts(search: SessionSearch, options?: ReadOptions): Promise<string[] | undefined> {
    const { limit } = search;
    if (limit === undefined || !Number.isInteger(limit) || limit < 0 || limit > TEXTS) return undefined;
    const { text, values } = findItemTextsQuery(this.#database.schema, { ...search, limit }, this.#now());
    const texts: string[] = [];
    for (const { item } of await this.#database.queryPrepared(text, values, options)) {
      if (item === null || item === undefined) return undefined;
      texts.push(item);
    }
    return texts;
  }

  async hasSession(tenantId: string, sessionId: string, options?: ReadOptions): Promise<boolean> {
    return (await this.#find("revision", tenantId, sessionId, options)) !== undefined;
  }

  /** Without ids: none, because whether a session is running changes with the clock alone. */
  async revision(tenantId?: string, sessionId?: string, options?: ReadOptions): Promise<string | undefined> {
    if (tenantId === undefined || sessionId === undefined) return undefined;
    const row = await this.#find("incarnation, revision", tenantId, sessionId, options);
    return row === undefined ? "none" : `${row.incarnation}.${row.revision}`;
  }

  async loadTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<WorkflowTraceEventEnvelope[]> {
    return readAllRecords(await this.#stream("trace", tenantId, sessionId, options), options);
  }

  async loadOrchestrationEvents(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<unknown[]> {
    return readAllRecords(await this.#stream("orchestration", tenantId, sessionId, options), options);
  }

  async loadOrchestrationState(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<{ snapshot: OrchestrationSnapshot } | null> {
    const events = await this.loadOrchestrationEvents(tenantId, sessionId, options);
    const snapshot = await readState(this.#database, { tenantId, sessionId }, events, options);
    return snapshot === null ? null : { snapshot };
  }

  async loadMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<Message[]> {
    return readAllRecords(await this.streamMessages(tenantId, sessionId, options), options);
  }

  async streamTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<TraceStream> {
    const columns = `incarnation, ${sizeColumns("trace")}`;
    const row = await this.#find(columns, tenantId, sessionId, options);
    const range = toRange("trace", tenantId, sessionId, row);
    const keys = await this.#keysOf(row?.incarnation ?? "", range, options);
    return { ...streamRecords(this.#database, range, (position) => keys.lengthAt(position)), keys };
  }

  streamMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<RecordStream> {
    return this.#stream("messages", tenantId, sessionId, options);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #keysOf(incarnation: string, range: RecordRange, options?: ReadOptions): Promise<StoredTraceKeys> {
    if (range.size === 0) return NO_STORED_KEYS;
    const known = this.#keys.get(incarnation) ?? NO_STORED_KEYS;
    if (known.size === range.size) return known;
    // A reader that began earlier may ask for fewer than are known by now.
    const from = known.size < range.size ? known : NO_STORED_KEYS;
    const keys = await from.extend(this.#database, range, options);
    this.#keys.set(incarnation, keys, { size: keys.bytes });
    return keys;
  }

  async #stream(
    list: RecordList,
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<RecordStream> {
    const row = await this.#find(sizeColumns(list), tenantId, sessionId, options);
    return streamRecords(this.#database, toRange(list, tenantId, sessionId, row));
  }

  async #find(
    columns: string,
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<Row | undefined> {
    const [row] = await this.#database.query(
      `SELECT ${columns} FROM ${this.#database.schema}.sessions WHERE tenant_id = $1 AND session_id = $2`,
      [toStoredText(tenantId), toStoredText(sessionId)],
      options,
    );
    return row;
  }
}

/** Of all lists, only the messages begin somewhere else than at 0. */
function sizeColumns(list: RecordList): string {
  return `${list === "messages" ? "messages_first" : "0"} AS first, ${list}_size AS size`;
}

function toRange(list: RecordList, tenantId: string, sessionId: string, row: Row | undefined): RecordRange {
  const [first, size] = [Number(row?.first ?? 0), Number(row?.size ?? 0)];
  return { table: RECORD_TABLES[list], tenantId, sessionId, first, size };
}
