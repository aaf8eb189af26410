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

/** Marks a session that was imported, in its log: only such a one is gone on with. */
const MARK_KEY = keyOfId("import");

/** Told of records as they are stored. */
export type OnStored = (records: number, bytes: number) => void;

/**
 * Copies a session into the database, or what is missing of it: records are counted, and the last one that is there has to
 * be the one that the source has in its place.
 *
 * @returns why the session was left as it is; `undefined` where it is whole now
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

  async run(item: InspectorSessionItem, options: ReadOptions): Promise<string | undefined> {
    const { tenantId, sessionId } = item;
    const found = await this.#find(item, options);
    if (found !== undefined && !found.isImported) return "is in the database already, and was not imported";
    if (found === undefined) {
      const mark = recordOfText('{"type":"import"}', MARK_KEY);
      await this.#writer.write(item, { kind: "append", list: "log", records: [mark] });
    }
    const events = await this.#source.loadOrchestrationEvents(tenantId, sessionId, options);
    const lists: readonly (readonly [RecordList, RecordStream])[] = [
      ["trace", await openTrace(this.#source, tenantId, sessionId, options)],
      ["orchestration", streamOf(events)],
      ["messages", await openMessages(this.#source, tenantId, sessionId, options)],
    ];
    for (const [list, stream] of lists) {
      const range = {
        table: RECORD_TABLES[list],
        tenantId,
        sessionId,
        first: 0,
        size: 0,
        ...found?.ranges[list],
      };
      const problem = await this.#copy(list, stream, range, options);
      if (problem !== undefined) return problem;
    }
    await this.#copyState(item, events, options);
    await this.#writer.write(item, { kind: "describe", item });
    return undefined;
  }

  async #copy(
    list: RecordList,
    stream: RecordStream,
    stored: RecordRange,
    options: ReadOptions,
  ): Promise<string | undefined> {
    let { first, size } = stored;
    if (!(await this.#goesOn(stream, stored, options))) {
      if (list !== "messages") return `holds another ${list} in the database`;
      const log = recordOfText('{"type":"compaction"}');
      await this.#writer.write(stored, { kind: "replace", log, messages: [] });
      [first, size] = [first + size, 0];
    }
    let position = first + size;
    for await (const batch of stream.read({ from: size, to: stream.size }, options)) {
      const records = Array.from({ length: batch.size }, (_, i) =>
        recordOfBytes(
          batch.text.subarray(batch.start(i), batch.end(i)),
          keyOfId(`import ${list} ${position + i}`),
        ),
      );
      await this.#writer.write(stored, { kind: "append", list, records });
      position += batch.size;
      this.#onStored(batch.size, batch.text.length);
    }
    return undefined;
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

  async #find({ tenantId, sessionId }: InspectorSessionItem, options: ReadOptions) {
    const { schema } = this.#database;
    const [row] = await this.#database.query(
      `SELECT trace_size, orchestration_size, messages_first, messages_size, EXISTS (
          SELECT FROM ${schema}.session_log AS log
          WHERE log.tenant_id = $1 AND log.session_id = $2 AND record_key = $3
        ) AS is_imported
        FROM ${schema}.sessions WHERE tenant_id = $1 AND session_id = $2`,
      [toStoredText(tenantId), toStoredText(sessionId), MARK_KEY],
      options,
    );
    if (row === undefined) return undefined;
    return {
      isImported: row.is_imported === "t",
      ranges: {
        trace: { size: Number(row.trace_size) },
        orchestration: { size: Number(row.orchestration_size) },
        messages: { first: Number(row.messages_first), size: Number(row.messages_size) },
        log: {},
      },
    };
  }
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
