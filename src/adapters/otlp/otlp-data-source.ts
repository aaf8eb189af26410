import path from "node:path";
import { CachedWhileSame } from "../../application/cached-while-same.js";
import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { RecordSearch, RecordSearchPage } from "../../application/ports/record-search.js";
import type { ReadOptions, RecordWarning } from "../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionSource } from "../../application/ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../../application/ports/source-survey.js";
import { problemsOf } from "../../application/sources/source-surveys.js";
import { tenantSurveys } from "../../application/sources/tenant-surveys.js";
import { runInSlices } from "../../application/threads/slices.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { keyText } from "../../domain/session/session-key.js";
import { DEFAULT_CACHE_BYTES, type FileSourceOptions } from "../files/catalog/file-source-options.js";
import { FolderCatalog } from "../files/catalog/folder-catalog.js";
import { copySessions } from "../files/catalog/newest-sessions.js";
import { surveyedSessions } from "../files/catalog/surveyed-sessions.js";
import type { Searchable } from "../files/search/scan-in-order.js";
import { newestAtLast, searchFiles } from "../files/search/search-files.js";
import { openPool } from "../files/threads/thread-pool.js";
import { type CachedSession, OtlpSnapshot } from "./otlp-snapshot.js";
import { OtlpStrategy, type SpanSession } from "./otlp-strategy.js";
import { SPAN_TASKS } from "./reading-tasks.js";
import { SpanThread } from "./span-thread.js";

const MAX_CACHED_SESSIONS = 32;

/** Reads files of spans, also while they grow. A thread derives sessions in memory, on request. */
export class OtlpDataSource implements SessionSource {
  readonly capabilities = {
    surveys: true,
    searchesRecords: true,
    knowsRevision: false,
    concurrentReads: Number.POSITIVE_INFINITY,
  };
  readonly #pool: ReadingPool;
  readonly #ownsPool: boolean;
  readonly #thread: SpanThread;
  readonly #catalog: FolderCatalog<SpanSession>;
  readonly #displayPath: string | undefined;
  readonly #cached = new CachedWhileSame<string, CachedSession>({ max: MAX_CACHED_SESSIONS });

  /** @param named a folder or a file, which need not exist yet */
  constructor(named: string, options: FileSourceOptions = {}) {
    const { cacheBytes = DEFAULT_CACHE_BYTES, onProgress, readAhead } = options;
    const now = answeringAtOnce("now", options.now ?? Date.now);
    const { pool, ownsPool } = openPool(options);
    this.#pool = pool;
    this.#displayPath = options.showPath ? path.resolve(named) : undefined;
    this.#ownsPool = ownsPool;
    this.#thread = new SpanThread(path.resolve(named), pool, cacheBytes);
    this.#catalog = new FolderCatalog(new OtlpStrategy(this.#thread, now), { pool, now, onProgress });
    if (readAhead !== undefined) this.#catalog.readAhead(readAhead);
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const page = await this.#catalog.find(search, options);
    const items = await copySessions(page.items, options);
    const { warnings = await this.#warnings(options) } = page;
    // These warnings exist only after sessions have been derived.
    const unrecorded = await this.#thread.run(SPAN_TASKS.warnings, {}, options);
    return { ...page, items, warnings: [...warnings, ...unrecorded] };
  }

  async openSession(
    tenantId: string,
    sessionId: string,
    options: ReadOptions = {},
  ): Promise<SessionSnapshot | undefined> {
    await this.#thread.look(options);
    const session = [tenantId, sessionId] as const;
    const key = keyText({ tenantId, sessionId });
    const last = this.#cached.last(key);
    const opened = await this.#thread.run(SPAN_TASKS.open, { session, previous: last?.revision }, options);
    if (opened === undefined) {
      this.#cached.forget(key);
      return undefined;
    }
    const { revision, parts } = opened;
    const cached = parts === undefined ? last! : this.#cached.keep(key, revision, { revision, parts });
    return new OtlpSnapshot(this.#thread, session, cached, options);
  }

  async findCandidates(search: RecordSearch, options: ReadOptions = {}): Promise<RecordSearchPage> {
    return newestAtLast(search, async (isNew) => {
      const sessions = await this.#catalog.searched(isNew, options);
      return searchFiles(this.#searchable, sessions, search, options);
    });
  }

  async survey(request: SurveyRequest, options: ReadOptions = {}): Promise<readonly SourceSurvey[]> {
    if (request.onlyDue) return [];
    const { sessions, warnings } = await this.#catalog.survey(request, options);
    const unrecorded = await this.#thread.run(SPAN_TASKS.warnings, {}, options);
    const surveyed = surveyedSessions(sessions, ({ bytes }) => bytes);
    const tenants = await runInSlices(tenantSurveys(surveyed), options.signal);
    const problems = problemsOf([...warnings, ...unrecorded]);
    return [{ name: "OpenTelemetry", path: this.#displayPath, problems, tenants }];
  }

  async revision(): Promise<undefined> {}

  async close(): Promise<void> {
    this.#cached.clear();
    this.#catalog.forget();
    await this.#thread.close();
    if (this.#ownsPool) await this.#pool.close();
  }

  async #warnings(options: ReadOptions | undefined): Promise<readonly RecordWarning[]> {
    return (await this.#thread.look(options)).warnings;
  }

  get #searchable(): Searchable {
    return {
      threads: 1,
      counts: false,
      scan: (portion, wanted, options) => {
        const sessions = portion.map(({ tenantId, sessionId }) => [tenantId, sessionId] as const);
        return this.#thread.run(SPAN_TASKS.search, { ...wanted, sessions }, options);
      },
    };
  }
}
