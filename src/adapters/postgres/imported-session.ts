import { randomUUID } from "node:crypto";
import type { ReadOptions, RecordStream } from "../../application/ports/record-stream.js";
import { readAllRecords } from "../../application/sources/record-streams.js";
import { runInSlices } from "../../application/threads/slices.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { replayInSteps } from "../../domain/trace/replay-orchestration.js";
import type { Database } from "./database.js";
import { type CopiedSession, importedText, isImported, isImportedAs, markOf } from "./import-mark.js";
import { forEachRecord, type RecordKeys } from "./imported-records.js";
import type { Row, RunQuery } from "./lease.js";
import { type Difference, differenceOfLists, differenceOfSets } from "./record-difference.js";
import type { RewrittenRecord, WriteOperation } from "./session-changes.js";
import {
  keyOfId,
  RECORD_TABLES,
  type RecordList,
  recordOfBytes,
  recordOfText,
  type StoredRecord,
} from "./stored-records.js";
import { saveCheckpoint } from "./stored-session.js";
import { idsOf } from "./stored-values.js";
import { writeBatch } from "./write-batch.js";

export interface CopiedRecords {
  readonly records: number;
  readonly bytes: number;
}

const NOTHING: CopiedRecords = { records: 0, bytes: 0 };

export const NOT_IMPORTED = "was written to in the database by something else than an import";

/**
 * Updates a session to its source's state in one transaction. Only missing or changed records are written; if these are most, or the
 * source has fewer records than before, all are.
 * @returns the reason if the session is not changed
 */
export async function copySession(
  database: Database,
  keys: RecordKeys,
  session: CopiedSession,
  options: ReadOptions,
): Promise<CopiedRecords | string> {
  const { snapshot } = session;
  const orchestration = await snapshot.orchestration();
  const lists = {
    trace: await snapshot.trace(),
    orchestration: orchestration.events,
    messages: await snapshot.messages(),
  };
  const state = await orchestration.state();
  return database.transaction(async (query) => {
    const copy = new SessionCopy(query, database.schema, keys, session, options);
    const row = await copy.lock();
    if (row !== undefined && !isImported(row)) return NOT_IMPORTED;
    if (row !== undefined && isImportedAs(row, markOf(session))) return NOTHING;
    await copy.write(row, lists);
    if (state !== null) await copy.keepState(lists.orchestration, jsonTextOf(state.snapshot)!);
    await copy.finish();
    return copy.written;
  }, options);
}

type Lists = Readonly<Record<Exclude<RecordList, "log">, RecordStream>>;

const BATCH_BYTES = 1024 * 1024;

class SessionCopy {
  written: CopiedRecords = NOTHING;
  readonly #query: RunQuery;
  readonly #schema: string;
  readonly #keys: RecordKeys;
  readonly #session: CopiedSession;
  readonly #options: ReadOptions;
  readonly #ids: readonly [string, string];
  #isRewritten = false;

  constructor(
    query: RunQuery,
    schema: string,
    keys: RecordKeys,
    session: CopiedSession,
    options: ReadOptions,
  ) {
    this.#query = query;
    this.#schema = schema;
    this.#keys = keys;
    this.#session = session;
    this.#options = options;
    this.#ids = idsOf(session.key);
  }

  async lock(): Promise<Row | undefined> {
    const [row] = await this.#query(
      `SELECT revision, imported, trace_size, orchestration_size, log_size, messages_first, messages_size
        FROM ${this.#schema}.sessions WHERE tenant_id = $1 AND session_id = $2 FOR UPDATE`,
      this.#ids,
    );
    return row;
  }

  async write(row: Row | undefined, lists: Lists): Promise<void> {
    const first = Number(row?.messages_first ?? 0);
    if (row !== undefined) {
      const trace = await this.#difference("trace", "", lists.trace);
      const events = await this.#difference("orchestration", "", lists.orchestration);
      if (trace !== undefined && events !== undefined) {
        await this.#bringUp("trace", lists.trace, trace);
        await this.#bringUp("orchestration", lists.orchestration, events);
        const messages = await this.#difference("messages", String(first), lists.messages);
        if (messages?.changed.length === 0) return this.#bringUp("messages", lists.messages, messages);
        await this.#begin("compaction", Number(row.log_size));
        return this.#addAll("messages", String(first + Number(row.messages_size)), lists.messages);
      }
      await this.#remove();
    }
    await this.#begin("import", 0);
    await this.#addAll("trace", "", lists.trace);
    await this.#addAll("orchestration", "", lists.orchestration);
    await this.#addAll("messages", "0", lists.messages);
  }

  async keepState(events: RecordStream, state: string): Promise<void> {
    const [before] = await this.#query(
      `SELECT event_count, record FROM ${this.#schema}.orchestration_checkpoints
        WHERE tenant_id = $1 AND session_id = $2`,
      this.#ids,
    );
    if (before?.record === state && Number(before.event_count) === events.size) return;
    const all = await readAllRecords<unknown>(events, this.#options);
    const replayed = await runInSlices(replayInSteps(null, all), this.#options.signal);
    if (before === undefined && jsonTextOf(replayed) === state) return;
    await saveCheckpoint(this.#query, this.#schema, this.#session.key, events.size, state);
  }

  async finish(): Promise<void> {
    await this.#apply({ kind: "describe", item: this.#session.item });
    const own = "tenant_id = $1 AND session_id = $2";
    const [row] = await this.#query(`SELECT revision FROM ${this.#schema}.sessions WHERE ${own}`, this.#ids);
    const imported = importedText(row?.revision, markOf(this.#session));
    await this.#query(
      `UPDATE ${this.#schema}.sessions SET imported = $3, incarnation = coalesce($4, incarnation) WHERE ${own}`,
      [...this.#ids, imported, this.#isRewritten ? randomUUID() : null],
    );
  }

  async #difference(list: RecordList, of: string, stream: RecordStream): Promise<Difference | undefined> {
    const stored = await this.#storedKeys(list);
    const name = `import ${list} ${of}`;
    const keys = await this.#keys.ofStream(this.#nameOf(list), name, stream, this.#options);
    return list === "trace" ? differenceOfSets(stored, keys) : differenceOfLists(stored, keys);
  }

  async #storedKeys(list: RecordList): Promise<string[]> {
    const from =
      list === "messages"
        ? `(SELECT messages_first FROM ${this.#schema}.sessions WHERE tenant_id = $1 AND session_id = $2)`
        : "0";
    const [row] = await this.#query(
      `SELECT array_agg(record_key ORDER BY position) AS keys FROM ${this.#schema}.${RECORD_TABLES[list]}
        WHERE tenant_id = $1 AND session_id = $2 AND position >= ${from}`,
      this.#ids,
    );
    return row?.keys ? row.keys.slice(1, -1).split(",") : [];
  }

  async #bringUp(list: RecordList, stream: RecordStream, { changed, added }: Difference): Promise<void> {
    const rewritten: RewrittenRecord[] = [];
    await forEachRecord(stream, positionsOf(changed), this.#options, (bytes) => {
      const { key, position } = changed[rewritten.length]!;
      rewritten.push({ ...recordOfBytes(bytes, key), position });
    });
    if (rewritten.length > 0) {
      await this.#apply({ kind: "rewrite", list, records: rewritten });
      this.#count(rewritten);
      this.#isRewritten = true;
    }
    let next = 0;
    await this.#append(list, stream, positionsOf(added), (bytes) => recordOfBytes(bytes, added[next++]!.key));
  }

  async #addAll(list: RecordList, of: string, stream: RecordStream): Promise<void> {
    const positions = Uint32Array.from({ length: stream.size }, (_, at) => at);
    const read = this.#keys.reader(this.#nameOf(list), `import ${list} ${of}`, stream);
    await this.#append(list, stream, positions, read);
  }

  async #append(
    list: RecordList,
    stream: RecordStream,
    positions: Uint32Array,
    recordOf: (bytes: Uint8Array, position: number) => StoredRecord,
  ): Promise<void> {
    let records: StoredRecord[] = [];
    let bytes = 0;
    const write = async () => {
      if (records.length === 0) return;
      await this.#apply({ kind: "append", list, records });
      this.#count(records);
      records = [];
      bytes = 0;
    };
    await forEachRecord(stream, positions, this.#options, async (record, position) => {
      records.push(recordOf(record, position));
      bytes += record.length;
      if (bytes >= BATCH_BYTES) await write();
    });
    await write();
  }

  #count(records: readonly StoredRecord[]): void {
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    this.written = { records: this.written.records + records.length, bytes: this.written.bytes + bytes };
  }

  async #begin(type: "import" | "compaction", position: number): Promise<void> {
    const log = recordOfText(JSON.stringify({ type }), keyOfId(`import log ${position}`));
    await this.#apply({ kind: "replace", log, messages: [] });
  }

  async #remove(): Promise<void> {
    for (const table of ["sessions", ...Object.values(RECORD_TABLES), "orchestration_checkpoints"]) {
      await this.#query(
        `DELETE FROM ${this.#schema}.${table} WHERE tenant_id = $1 AND session_id = $2`,
        this.#ids,
      );
    }
  }

  async #apply(operation: WriteOperation): Promise<void> {
    await writeBatch(this.#query, this.#schema, this.#session.key, [operation], false);
  }

  #nameOf(list: RecordList): string {
    return `${list} ${this.#ids.join("\0")}`;
  }
}

function positionsOf(records: readonly { readonly at: number }[]): Uint32Array {
  return Uint32Array.from(records, ({ at }) => at);
}
