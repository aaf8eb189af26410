import { setTimeout as delay } from "node:timers/promises";
import { SessionNotFoundError, SourceChangedError, SourceContractError } from "../../application/errors.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import { openSession } from "../../application/records/open-session.js";
import { lift } from "../../application/sources/lift.js";
import { listedItems } from "../../application/sources/listed-items.js";
import { runInSlices } from "../../application/threads/slices.js";
import { tellHost } from "../../domain/options/host-functions.js";
import { LONGEST_ID } from "../../domain/session/ids.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { keyText } from "../../domain/session/session-key.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import type { Database } from "./database.js";
import { isDuplicate, isUnavailable, isWorthRetrying } from "./database-errors.js";
import { type CopiedSession, isImportedAs, markOf } from "./import-mark.js";
import type { ImportOptions, ImportReport, SkippedSession } from "./import-options.js";
import { RecordKeys } from "./imported-records.js";
import { type CopiedRecords, copySession, NOT_IMPORTED } from "./imported-session.js";
import type { Row } from "./lease.js";
import { idsOf } from "./stored-values.js";

const AT_A_TIME = 4;

const LOOKED_UP = 500;

const ATTEMPTS = 3;

/** Pauses of a watching import, longer if less happens; at the last interval, also unchanged sessions are checked. */
const SHORTEST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;
const COMPLETE_EVERY_MS = 600_000;

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;

/**
 * Copies every session of a source, records byte for byte. It resumes after a restart and reads only new parts; several processes may
 * import at once.
 */
export async function importSessions(
  source: InspectorDataSource,
  database: Database,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const sessions = new SessionImport(source, database, options);
  const report = await sessions.run(true);
  if (!options.watch) return report;
  tellHost(() => options.onImported?.(report));
  let pauseMs = SHORTEST_PAUSE_MS;
  let completeAt = performance.now();
  for (;;) {
    await pause(pauseMs, options.signal);
    const isComplete = performance.now() - completeAt > COMPLETE_EVERY_MS;
    if (isComplete) completeAt = performance.now();
    const { records, skipped, ...progress } = await sessions.run(isComplete);
    const isIdle = records === 0 && skipped.length === 0;
    pauseMs = isIdle ? Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5) : SHORTEST_PAUSE_MS;
    if (!isIdle) tellHost(() => options.onImported?.({ ...progress, records, skipped }));
  }
}

class SessionImport {
  readonly #source: InspectorDataSource;
  readonly #database: Database;
  readonly #options: ImportOptions;
  readonly #keys = new RecordKeys();
  readonly #copied = new Map<string, string>();
  readonly #skipped = new Map<string, string>();
  #isConnected = false;
  #hasWritten = false;
  #isWaiting = false;

  constructor(source: InspectorDataSource, database: Database, options: ImportOptions) {
    this.#source = source;
    this.#database = database;
    this.#options = options;
  }

  async run(isComplete: boolean): Promise<ImportReport> {
    const { signal, onProgress } = this.#options;
    const { items, warnings } = await runInSlices(
      listedItems(await this.#source.listSessions({ signal }), "listSessions"),
      signal,
    );
    const changed = isComplete ? items : items.filter((item) => this.#isNew(item));
    const progress = {
      sessions: items.length - changed.length,
      totalSessions: items.length,
      records: 0,
      bytes: 0,
    };
    const skipped: SkippedSession[] = [];
    const skip = (name: string, session: SkippedSession) => {
      if (this.#skipped.get(name) !== session.reason) skipped.push(session);
      this.#skipped.set(name, session.reason);
    };
    for (const { file, line, reason } of warnings) {
      const element = `element ${line} of ${file}`;
      skip(element, { tenantId: "", sessionId: "", reason: `${element} ${reason}` });
    }
    const copy = async (item: ListedSession, row: Row | undefined) => {
      const { tenantId, sessionId } = item;
      const copied = await this.#copy(item, row).catch(reasonOf);
      if (typeof copied === "string") skip(keyText(item), { tenantId, sessionId, reason: copied });
      else {
        this.#skipped.delete(keyText(item));
        progress.records += copied.records;
        progress.bytes += copied.bytes;
      }
      if (typeof copied !== "string" || copied === NOT_IMPORTED)
        this.#copied.set(keyText(item), factsOf(item));
      progress.sessions++;
      const reported = { ...progress };
      tellHost(() => onProgress?.(reported));
    };
    for (let from = 0; from < changed.length || (from === 0 && !this.#isConnected); from += LOOKED_UP) {
      const some = changed.slice(from, from + LOOKED_UP);
      const rows = await this.#patiently(() => this.#storedRows(some));
      await inTurns(some, (item) => copy(item, rows.get(keyText(item))));
    }
    return { ...progress, skipped };
  }

  #isNew(item: ListedSession): boolean {
    return this.#copied.get(keyText(item)) !== factsOf(item);
  }

  #keyOf({ tenantId, sessionId }: ListedSession) {
    return { tenantId: `${this.#options.tenantPrefix ?? ""}${tenantId}`, sessionId };
  }

  async #storedRows(items: readonly ListedSession[]): Promise<ReadonlyMap<string, Row>> {
    const ids = items.map((item) => idsOf(this.#keyOf(item)));
    const rows = await this.#database.query(
      `SELECT wanted.at, revision, imported FROM ${this.#database.schema}.sessions
        JOIN unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (tenant, session, at)
          ON tenant_id = wanted.tenant AND session_id = wanted.session`,
      [ids.map(([tenant]) => tenant), ids.map(([, session]) => session)],
      this.#options,
    );
    return new Map(rows.map((row) => [keyText(items[Number(row.at) - 1]!), row]));
  }

  async #copy(item: ListedSession, row: Row | undefined): Promise<CopiedRecords | string> {
    const { signal } = this.#options;
    const key = this.#keyOf(item);
    if (key.tenantId.length > LONGEST_ID || key.sessionId.length > LONGEST_ID) {
      return `has an id that is longer than ${LONGEST_ID} characters`;
    }
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      try {
        const snapshot = await openSession(lift(this.#source), item, { signal });
        const session: CopiedSession = { key, item, snapshot };
        if (row !== undefined && isImportedAs(row, markOf(session))) return { records: 0, bytes: 0 };
        const copied = await this.#patiently(() =>
          copySession(this.#database, this.#keys, session, { signal }),
        );
        this.#hasWritten = true;
        return copied;
      } catch (error) {
        const mayPass = error instanceof SourceChangedError || isDuplicate(error);
        if (!mayPass || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Waits for a database that became unreachable. A database without an earlier success needs a repair first. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { retryForMs = 30_000, onWaiting, signal } = this.#options;
    const begun = performance.now();
    for (let wait = FIRST_DELAY_MS; ; wait = Math.min(LONGEST_DELAY_MS, wait * 2)) {
      try {
        const result = await work();
        this.#isConnected = true;
        this.#isWaiting = false;
        return result;
      } catch (error) {
        const isOver = performance.now() - begun + wait > retryForMs;
        const mayPass = this.#hasWritten ? isUnavailable(error) : isWorthRetrying(error);
        if (!this.#isConnected || isOver || !mayPass) throw error;
        if (isUnavailable(error) && !this.#isWaiting) {
          this.#isWaiting = true;
          tellHost(() => onWaiting?.(error));
        }
        await pause(wait * (0.5 + Math.random() / 2), signal);
      }
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

async function inTurns<T>(members: readonly T[], work: (member: T) => Promise<void>): Promise<void> {
  const waiting = members.values();
  let hasFailed = false;
  const next = async () => {
    for (const member of waiting) {
      if (hasFailed) return;
      await work(member).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, next));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

function reasonOf(error: unknown): string {
  if (error instanceof SourceContractError) return `cannot be copied: ${error.message}`;
  if (error instanceof SourceChangedError) return "changed while it was being read";
  if (error instanceof SessionNotFoundError) return "was deleted before it was read";
  throw error;
}

function factsOf({ status: _, state: __, ...facts }: ListedSession): string {
  return longFingerprint(JSON.stringify(facts));
}
