import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { RecordSearch, RecordSearchPage } from "../../application/ports/record-search.js";
import type { ReadOptions, RecordWarning } from "../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionSource } from "../../application/ports/session-source.js";
import { FilesystemDataSource } from "../data-directory/filesystem-data-source.js";
import type { FileSourceOptions } from "../files/catalog/file-source-options.js";
import { laneOf } from "../files/threads/in-flight.js";
import { openPool } from "../files/threads/thread-pool.js";
import { dataFolder } from "./derived-folder.js";
import { locateOtlp, type OtlpLocation } from "./otlp-files.js";
import { FORGET_SESSIONS, UPDATE_SESSIONS } from "./update-sessions.js";

/** The sessions as they were derived last. */
interface Derived {
  readonly folder: string;
  readonly source: FilesystemDataSource;
  readonly warnings: readonly RecordWarning[];
}

/** Reads files of spans, also while they grow. Each answer is from a data directory that they are derived into, after a look whether they changed. */
export class OtlpDataSource implements SessionSource {
  readonly capabilities = { searchesRecords: true, knowsRevision: false };
  readonly #named: string;
  readonly #options: FileSourceOptions;
  readonly #pool: ReadingPool;
  readonly #ownsPool: boolean;
  #opened: Promise<Omit<Derived, "warnings">> | undefined;
  #place: OtlpLocation | undefined;
  #updating: Promise<Derived> | undefined;

  constructor(named: string, options: FileSourceOptions = {}) {
    const { pool, ownsPool } = openPool(options);
    this.#named = path.resolve(named);
    this.#pool = pool;
    this.#ownsPool = ownsPool;
    const { cacheBytes, now } = options;
    this.#options = { pool, cacheBytes, now };
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const { source, warnings } = await this.#update(options);
    const page = await source.findSessions(search, options);
    return { ...page, warnings: [...warnings, ...(page.warnings ?? [])] };
  }

  async openSession(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined> {
    return (await this.#update(options)).source.openSession(tenantId, sessionId, options);
  }

  async findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return (await this.#update(options)).source.findCandidates(search, options);
  }

  async revision(): Promise<undefined> {}

  async close(): Promise<void> {
    await this.#updating?.catch(() => undefined); // whoever asked for it has the error
    const opened = await this.#opened?.catch(() => undefined);
    if (opened !== undefined) {
      const { folder, source } = opened;
      await source.close();
      await this.#pool.run(FORGET_SESSIONS, { derived: folder }, { lane: laneOf(this.#named) });
      await rm(folder, { recursive: true, force: true });
    }
    if (this.#ownsPool) await this.#pool.close();
  }

  /** Those who ask at once share one look at the files; it goes on where one of them leaves. */
  async #update({ signal }: ReadOptions = {}): Promise<Derived> {
    this.#updating ??= this.#derive().finally(() => {
      this.#updating = undefined;
    });
    const derived = await this.#updating;
    signal?.throwIfAborted();
    return derived;
  }

  async #derive(): Promise<Derived> {
    this.#opened ??= this.#open().catch((cause: unknown) => {
      this.#opened = undefined; // the next one tries again
      throw new SourceUnavailableError("There is no room for what is made of the files.", { cause });
    });
    const { folder, source } = await this.#opened;
    this.#place ??= locateOtlp(this.#named);
    const request = { ...this.#place, derived: folder };
    const warnings = await this.#pool.run(UPDATE_SESSIONS, request, { lane: laneOf(this.#named) });
    return { folder, source, warnings };
  }

  async #open() {
    const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-otlp-"));
    return { folder, source: new FilesystemDataSource(dataFolder(folder), this.#options) };
  }
}
