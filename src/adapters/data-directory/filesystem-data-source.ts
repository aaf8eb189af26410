import path from "node:path";
import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { RecordSearch, RecordSearchPage } from "../../application/ports/record-search.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionSource } from "../../application/ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../../application/ports/source-survey.js";
import { problemsOf } from "../../application/sources/source-surveys.js";
import { tenantSurveys } from "../../application/sources/tenant-surveys.js";
import { runInSlices } from "../../application/threads/slices.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { keyText } from "../../domain/session/session-key.js";
import { SourceCache } from "../files/cache/source-cache.js";
import { DEFAULT_CACHE_BYTES, type FileSourceOptions } from "../files/catalog/file-source-options.js";
import { FolderCatalog } from "../files/catalog/folder-catalog.js";
import { copySessions } from "../files/catalog/newest-sessions.js";
import { surveyedSessions } from "../files/catalog/surveyed-sessions.js";
import { filesIn } from "../files/search/scan-in-order.js";
import { newestAtLast, searchFiles } from "../files/search/search-files.js";
import { openPool } from "../files/threads/thread-pool.js";
import { FileIndexes } from "./file-indexes.js";
import { openSnapshot, type SessionReading } from "./filesystem-snapshot.js";
import { CachedBatches } from "./read-records.js";
import { sessionFiles } from "./session-files.js";
import { type DirectorySession, SessionStrategy } from "./session-strategy.js";

export type FilesystemDataSourceOptions = FileSourceOptions;

/** Reads a data directory (`docs/data-directory.md`), also while an application writes it. */
export class FilesystemDataSource implements SessionSource {
  readonly capabilities = {
    surveys: true,
    searchesRecords: true,
    knowsRevision: false,
    concurrentReads: Number.POSITIVE_INFINITY,
  };
  readonly #reading: SessionReading;
  readonly #catalog: FolderCatalog<DirectorySession>;
  readonly #ownPool: ReadingPool | undefined;
  readonly #cache: SourceCache;
  readonly #displayPath: string | undefined;

  constructor(dataDir: string, options: FilesystemDataSourceOptions = {}) {
    const { cacheBytes = DEFAULT_CACHE_BYTES, onProgress } = options;
    const now = answeringAtOnce("now", options.now ?? Date.now);
    const root = path.resolve(dataDir);
    this.#displayPath = options.showPath ? root : undefined;
    const { pool, ownsPool } = openPool(options);
    this.#ownPool = ownsPool ? pool : undefined;
    const indexes = new FileIndexes(root, pool, cacheBytes);
    this.#reading = { root, pool, indexes, batches: new CachedBatches() };
    this.#cache = new SourceCache(options.cacheDir, root, pool);
    const strategy = new SessionStrategy(root, pool, now, this.#cache);
    this.#catalog = new FolderCatalog(strategy, { pool, now, onProgress });
    if (options.readAhead !== undefined) this.#catalog.readAhead(options.readAhead);
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const page = await this.#catalog.find(search, options);
    this.#cache.save();
    return { ...page, items: await copySessions(page.items, options) };
  }

  openSession(
    tenantId: string,
    sessionId: string,
    options: ReadOptions = {},
  ): Promise<SessionSnapshot | undefined> {
    this.#catalog.leaveOff();
    const files = sessionFiles(this.#reading.root, tenantId, sessionId);
    return openSnapshot(this.#reading, files, options);
  }

  async findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return newestAtLast(search, async (isNew) => {
      const sessions = await this.#catalog.searched(isNew, options);
      const { root, pool } = this.#reading;
      return searchFiles(filesIn(root, pool), sessions, search, options);
    });
  }

  async survey(request: SurveyRequest, options: ReadOptions = {}): Promise<readonly SourceSurvey[]> {
    if (request.onlyDue) return [];
    const { sessions, warnings } = await this.#catalog.survey(request, options);
    this.#cache.save();
    const stored = new Map<string, number>();
    for (const session of await this.#catalog.searched(false, options))
      stored.set(keyText(session), session.bytes);
    const surveyed = surveyedSessions(sessions, (session) => stored.get(keyText(session)));
    const tenants = await runInSlices(tenantSurveys(surveyed), options.signal);
    return [{ name: "Data directory", path: this.#displayPath, problems: problemsOf(warnings), tenants }];
  }

  async revision(): Promise<undefined> {}

  async close(): Promise<void> {
    await this.#cache.close();
    await this.#ownPool?.close();
  }
}
