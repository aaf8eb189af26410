import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ReadOptions, RecordStream } from "../../application/ports/record-stream.js";
import { openMessages, openTrace, streamOf } from "../../application/text-stream.js";
import { replayOrchestration } from "../../domain/replay-orchestration.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import type { Database } from "./database.js";
import { readState, saveCheckpoint } from "./orchestration-checkpoint.js";
import { RECORD_TABLES, type RecordList, type RecordRange } from "./record-lists.js";
import type { SessionWriter } from "./session-writer.js";
import { keyOfId, recordOfBytes, recordOfText } from "./stored-records.js";
import { toStoredText } from "./stored-text.js";
import { streamRecords } from "./stream-records.js";

/** The key of a record that an import puts into that position: so it is told from what an application wrote. */
function importKey(list: RecordList, position: number): string {
  return keyOfId(`import ${list} ${position}`);
}

/** Told of records as they are stored. */
export type OnStored = (records: number, bytes: number) => void;

/**
 * Copies sessions into the database, or what is missing of them: records are counted, and the last one that is there has to
 * be the one that the source has in its place.
 */
export class SessionImport {
  readonly #source: InspectorDataSource;
  readonly #database: Database;
  readonly #writer: SessionWriter;
  readonly #onStored: OnStored;

  constructor(source: InspectorDataSource, database: Database, writer: SessionWriter, onStored: OnStored) {
    this.#source = source;
    this.#database = database;
    this.#writer = writer;
    this.#onStored = onStored;
  }

  /** @returns why the session was left as it is; `undefined` where it is whole now */
  async run(item: InspectorSessionItem, options: ReadOptions): Promise<string | undefined> {
    const { tenantId, sessionId } = item;
    const stored = await this.#find(item, options);
    for (const range of Object.values(stored)) {
      if (!(await this.#isImported(range, options))) {
        return "was written to in the database by something else than an import";
      }
    }
    if (stored.log.size === 0) await this.#addToLog(stored.log, { type: "import" });
    const events = await this.#source.loadOrchestrationEvents(tenantId, sessionId, options);
    const lists: readonly (readonly [ImportedRange, RecordStream])[] = [
      [stored.trace, await openTrace(this.#source, tenantId, sessionId, options)],
      [stored.orchestration, streamOf(events)],
      [stored.messages, await openMessages(this.#source, tenantId, sessionId, options)],
    ];
    for (const [range, stream] of lists) {
      let begun = range;
      if (!(await this.#goesOn(stream, range, options))) {
        if (range.list !== "messages") return `holds another ${range.list} in the database`;
        await this.#addToLog(stored.log, { type: "compaction" });
        begun = { ...range, first: range.first + range.size, size: 0 };
      }
      await this.#copy(stream, begun, options);
    }
    await this.#copyState(item, events, options);
    await this.#writer.write(item, { kind: "describe", item });
    return undefined;
  }

  async #copy(stream: RecordStream, stored: ImportedRange, options: ReadOptions): Promise<void> {
    const { list, first, size } = stored;
    let position = first + size;
    for await (const batch of stream.read({ from: size, to: stream.size }, options)) {
      const records = Array.from({ length: batch.size }, (_, i) =>
        recordOfBytes(batch.text.subarray(batch.start(i), batch.end(i)), importKey(list, position + i)),
      );
      await this.#writer.write(stored, { kind: "append", list, records });
      position += batch.size;
      this.#onStored(batch.size, batch.text.length);
    }
  }

  /** A new conversation begins with an entry of the log, as with a compaction. */
  async #addToLog(log: ImportedRange, entry: { readonly type: "import" | "compaction" }): Promise<void> {
    const record = recordOfText(JSON.stringify(entry), importKey("log", log.first + log.size));
    await this.#writer.write(log, { kind: "replace", log: record, messages: [] });
  }

  /** Whether the last record of a list came from an import. */
  async #isImported({ list, table, tenantId, sessionId, first, size }: ImportedRange, options: ReadOptions) {
    if (size === 0) return true;
    const position = first + size - 1;
    const [row] = await this.#database.query(
      `SELECT record_key FROM ${this.#database.schema}.${table}
        WHERE tenant_id = $1 AND session_id = $2 AND position = $3`,
      [toStoredText(tenantId), toStoredText(sessionId), position],
      options,
    );
    return row?.record_key === importKey(list, position);
  }

  /** Whether the source's records begin with those that are stored. */
  async #goesOn(stream: RecordStream, stored: RecordRange, options: ReadOptions): Promise<boolean> {
    if (stored.size === 0) return true;
    if (stream.size < stored.size) return false;
    const last = { from: stored.size - 1, to: stored.size };
    const [ours, theirs] = await Promise.all([
      bytesOf(streamRecords(this.#database, stored), last, options),
      bytesOf(stream, last, options),
    ]);
    return Buffer.compare(ours, theirs) === 0;
  }

  /** A state that the events alone do not give is kept as a checkpoint. */
  async #copyState(
    item: InspectorSessionItem,
    events: readonly unknown[],
    options: ReadOptions,
  ): Promise<void> {
    const state = await this.#source.loadOrchestrationState(item.tenantId, item.sessionId, options);
    if (state === null) return;
    const text = JSON.stringify(state.snapshot);
    if (text === JSON.stringify(await readState(this.#database, item, events, options))) return;
    if (events.length > 0 && text === JSON.stringify(replayOrchestration(null, events))) return;
    await saveCheckpoint(this.#database, item, events.length, state.snapshot);
  }

  /** What the database holds of the session; nothing where it does not know it. */
  async #find({ tenantId, sessionId }: InspectorSessionItem, options: ReadOptions) {
    const [row] = await this.#database.query(
      `SELECT trace_size, orchestration_size, log_size, messages_first, messages_size
        FROM ${this.#database.schema}.sessions WHERE tenant_id = $1 AND session_id = $2`,
      [toStoredText(tenantId), toStoredText(sessionId)],
      options,
    );
    const range = (
      list: RecordList,
      size: string | null = "0",
      first: string | null = "0",
    ): ImportedRange => ({
      list,
      table: RECORD_TABLES[list],
      tenantId,
      sessionId,
      first: Number(first),
      size: Number(size),
    });
    return {
      log: range("log", row?.log_size),
      trace: range("trace", row?.trace_size),
      orchestration: range("orchestration", row?.orchestration_size),
      messages: range("messages", row?.messages_size, row?.messages_first),
    };
  }
}

interface ImportedRange extends RecordRange {
  readonly list: RecordList;
}

async function bytesOf(
  stream: RecordStream,
  part: { readonly from: number; readonly to: number },
  options: ReadOptions,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const batch of stream.read(part, options)) parts.push(Uint8Array.from(batch.text));
  return Buffer.concat(parts);
}
