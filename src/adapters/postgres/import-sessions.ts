import { SessionNotFoundError, SourceChangedError } from "../../application/errors.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ReadOptions, RecordStream } from "../../application/ports/record-stream.js";
import type { OrchestrationLog } from "../../application/ports/session-snapshot.js";
import { lift } from "../../application/sources/lift.js";
import { listedItems } from "../../application/sources/listed-items.js";
import { openSession } from "../../application/sources/scope.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { FUNCTION, withMethods } from "../../domain/options/option-kinds.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";
import type { Database } from "./database.js";
import { DatabaseWriter } from "./session-writer.js";
import {
  keyOfId,
  RECORD_TABLES,
  type RecordList,
  type RecordRange,
  recordOfBytes,
  recordOfText,
} from "./stored-records.js";
import { findSession, listsOf, readState, saveCheckpoint } from "./stored-session.js";
import { idsOf } from "./stored-values.js";
import { streamRecords } from "./stream-records.js";

export interface ImportProgress {
  /** How many sessions are done, of how many. */
  readonly sessions: number;
  readonly totalSessions: number;
  /** What was copied so far, without what was there already. */
  readonly records: number;
  readonly bytes: number;
}

export interface ImportReport extends ImportProgress {
  /** Sessions that are not, or not whole, in the database, each with the reason. */
  readonly skipped: readonly SkippedSession[];
}

export interface SkippedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly reason: string;
}

export interface ImportOptions extends ReadOptions {
  /** Called after every batch of records and every session. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export const IMPORT_OPTIONS = {
  onProgress: FUNCTION,
  signal: withMethods<AbortSignal>("AbortSignal", ["throwIfAborted"]),
} satisfies OptionTable<ImportOptions>;

/** How many sessions are copied at a time. */
const AT_A_TIME = 4;

/** Copies every session of a source, records byte for byte. Started again, it continues where it stopped, and copies what was added since. */
export async function importSessions(
  source: InspectorDataSource,
  database: Database,
  { onProgress, signal }: ImportOptions = {},
): Promise<ImportReport> {
  const { items, warnings } = listedItems(await source.listSessions({ signal }), "listSessions");
  const progress = { sessions: 0, totalSessions: items.length, records: 0, bytes: 0 };
  const skipped: SkippedSession[] = warnings.map(({ file, line, reason }) => ({
    tenantId: "",
    sessionId: "",
    reason: `element ${line} of ${file} ${reason}`,
  }));
  const session = new SessionImport(source, database, (records, bytes) => {
    progress.records += records;
    progress.bytes += bytes;
    onProgress?.({ ...progress });
  });
  const copy = async (item: ListedSession) => {
    signal?.throwIfAborted();
    const reason = await session.run(item, { signal }).catch(reasonOf);
    if (reason !== undefined) skipped.push({ tenantId: item.tenantId, sessionId: item.sessionId, reason });
    progress.sessions++;
    onProgress?.({ ...progress });
  };
  const waiting = items.values();
  let hasFailed = false;
  const copyNext = async () => {
    for (const item of waiting) {
      if (hasFailed) return;
      await copy(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  // Waits for all copies, also after a failure: once the import has rejected, nothing is being written any more.
  const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, copyNext));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { ...progress, skipped };
}

/** Why a session was skipped. Any other failure ends the import. */
function reasonOf(error: unknown): string {
  if (error instanceof SourceChangedError) return "changed while it was being read";
  if (error instanceof SessionNotFoundError) return "was deleted before it was read";
  throw error;
}

/** The key of a record that an import puts into that position. It distinguishes the record from those of an application. */
function importKey(list: RecordList, position: number): string {
  return keyOfId(`import ${list} ${position}`);
}

/** Copies what is missing of sessions: records are counted, and the last stored one has to be the source's in its place. */
class SessionImport {
  readonly #source: InspectorDataSource;
  readonly #database: Database;
  readonly #writer: DatabaseWriter;
  readonly #onStored: (records: number, bytes: number) => void;

  /** @param onStored called with every batch of records that was stored */
  constructor(
    source: InspectorDataSource,
    database: Database,
    onStored: (records: number, bytes: number) => void,
  ) {
    this.#source = source;
    this.#database = database;
    this.#writer = new DatabaseWriter(database, {
      retryForMs: 30_000,
      maxWaitingBytes: Number.POSITIVE_INFINITY,
    });
    this.#onStored = onStored;
  }

  /** @returns why the session was left as it is; `undefined` where it is whole now */
  async run(item: ListedSession, options: ReadOptions): Promise<string | undefined> {
    const stored = (await findSession(this.#database, item, options))?.lists ?? listsOf(item);
    for (const range of Object.values(stored)) {
      if (!(await this.#isImported(range, options))) {
        return "was written to in the database by something else than an import";
      }
    }
    const session = await openSession(lift(this.#source), item, options);
    const orchestration = await session.orchestration();
    if (stored.log.size === 0) await this.#addToLog(stored.log, "import");
    const lists: readonly (readonly [RecordRange, RecordStream])[] = [
      [stored.trace, await session.trace()],
      [stored.orchestration, orchestration.events],
      [stored.messages, await session.messages()],
    ];
    for (const [range, stream] of lists) {
      let begun = range;
      if (!(await this.#continues(stream, range, options))) {
        if (range.list !== "messages") return `holds another ${range.list} in the database`;
        // The source has compacted the conversation since: the database gets the new one behind the old one.
        await this.#addToLog(stored.log, "compaction");
        begun = { ...range, first: range.first + range.size, size: 0 };
      }
      await this.#copy(stream, begun, options);
    }
    await this.#copyState(item, orchestration, options);
    await this.#writer.write(item, { kind: "describe", item });
    return undefined;
  }

  /** Whether the last record of a list came from an import. */
  async #isImported(range: RecordRange, options: ReadOptions): Promise<boolean> {
    const { list, first, size } = range;
    if (size === 0) return true;
    const position = first + size - 1;
    const [row] = await this.#database.query(
      `SELECT record_key FROM ${this.#database.schema}.${RECORD_TABLES[list]}
        WHERE tenant_id = $1 AND session_id = $2 AND position = $3`,
      [...idsOf(range), position],
      options,
    );
    return row?.record_key === importKey(list, position);
  }

  /** Whether the source's records begin with those that are stored. */
  async #continues(stream: RecordStream, stored: RecordRange, options: ReadOptions): Promise<boolean> {
    if (stored.size === 0) return true;
    if (stream.size < stored.size) return false;
    const last = stored.size - 1;
    const [ours, theirs] = await Promise.all([
      recordAt(streamRecords(this.#database, stored), last, options),
      recordAt(stream, last, options),
    ]);
    return Buffer.compare(ours, theirs) === 0;
  }

  async #copy(stream: RecordStream, stored: RecordRange, options: ReadOptions): Promise<void> {
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

  /** Begins a conversation: with the session, or in the place of the one so far. */
  async #addToLog(log: RecordRange, type: "import" | "compaction"): Promise<void> {
    const record = recordOfText(JSON.stringify({ type }), importKey("log", log.first + log.size));
    await this.#writer.write(log, { kind: "replace", log: record, messages: [] });
  }

  /** Keeps a state that the stored events do not give as a checkpoint. */
  async #copyState(
    item: ListedSession,
    orchestration: OrchestrationLog,
    options: ReadOptions,
  ): Promise<void> {
    const state = await orchestration.state();
    const stored = await findSession(this.#database, item, options);
    if (state === null || stored === undefined) return;
    const known = await readState(this.#database, stored, options);
    if (jsonTextOf(state.snapshot) === jsonTextOf(known)) return;
    await saveCheckpoint(this.#database, item, orchestration.events.size, state.snapshot);
  }
}

async function recordAt(stream: RecordStream, position: number, options: ReadOptions): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const batch of stream.read({ from: position, to: position + 1 }, options)) {
    parts.push(Uint8Array.from(batch.text));
  }
  return Buffer.concat(parts);
}
