import { statSync } from "node:fs";
import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import type { SessionPage, SessionSearch } from "../../../application/ports/inspector-data-source.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type { RecordSearch, RecordSearchPage } from "../../../application/ports/record-search.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../../application/ports/session-snapshot.js";
import type { SessionSource } from "../../../application/ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../../../application/ports/source-survey.js";
import { logOf } from "../../../application/sources/record-streams.js";
import { runInSlices } from "../../../application/threads/slices.js";
import { answeringAtOnce } from "../../../domain/options/host-functions.js";
import { keyText } from "../../../domain/session/session-key.js";
import { SourceCache } from "../../files/cache/source-cache.js";
import { DEFAULT_CACHE_BYTES, type FileSourceOptions } from "../../files/catalog/file-source-options.js";
import { FolderCatalog } from "../../files/catalog/folder-catalog.js";
import { copySessions } from "../../files/catalog/newest-sessions.js";
import { filesIn } from "../../files/search/scan-in-order.js";
import { newestAtLast, searchFiles } from "../../files/search/search-files.js";
import { openPool } from "../../files/threads/thread-pool.js";
import type { Containers } from "../folder/file-lookups.js";
import type { HistoryWriter } from "../folder/surroundings.js";
import type { Folder, TranscriptTasks } from "./reading-tasks.js";
import { renderedBatches, TranscriptSnapshot } from "./transcript-snapshot.js";
import { type TranscriptSession, TranscriptStrategy } from "./transcript-strategy.js";
import { surveyTranscripts } from "./transcript-survey.js";

export type TranscriptOptions = FileSourceOptions;

const MAX_CACHED_SESSIONS = 32;

/** Reads a folder of histories while another tool writes them. All data is derived from its records in threads. */
export class TranscriptDataSource implements SessionSource {
  readonly capabilities = {
    surveys: true,
    searchesRecords: true,
    knowsRevision: false,
    concurrentReads: Number.POSITIVE_INFINITY,
  };
  readonly #folder: Folder;
  readonly #tasks: TranscriptTasks;
  readonly #pool: ReadingPool;
  readonly #ownsPool: boolean;
  readonly #catalog: FolderCatalog<TranscriptSession>;
  readonly #cache: SourceCache;
  readonly #writer: HistoryWriter | undefined;
  readonly #displayPath: string | undefined;
  readonly #now: () => number;
  readonly #rendered = renderedBatches();
  readonly #sessions = new CachedWhileSame<string, TranscriptSnapshot>({ max: MAX_CACHED_SESSIONS });

  constructor(
    folder: string,
    tasks: TranscriptTasks,
    options: TranscriptOptions = {},
    writer?: HistoryWriter,
  ) {
    const { pool, ownsPool } = openPool(options);
    const maxBytes = Math.floor((options.cacheBytes ?? DEFAULT_CACHE_BYTES) / pool.threads);
    const place = path.resolve(folder);
    const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
    this.#cache = new SourceCache(options.cacheDir, place, pool);
    this.#folder = {
      root: isFile ? path.dirname(place) : place,
      ...(isFile ? { onlyFile: place } : {}),
      maxBytes,
      cache: this.#cache.place,
    };
    this.#tasks = tasks;
    this.#writer = writer;
    this.#displayPath = options.showPath ? place : undefined;
    this.#pool = pool;
    this.#ownsPool = ownsPool;
    const { onProgress } = options;
    const now = answeringAtOnce("now", options.now ?? Date.now);
    this.#now = now;
    const strategy = new TranscriptStrategy(this.#folder, tasks, pool, this.#cache);
    this.#catalog = new FolderCatalog(strategy, { pool, now, onProgress });
    if (options.readAhead === undefined) return;
    pool.begin?.(tasks.discover);
    this.#catalog.readAhead(options.readAhead);
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const page = await this.#catalog.find(search, options);
    this.#cache.save();
    return { ...page, items: await copySessions(page.items, options) };
  }

  async openSession(
    tenantId: string,
    sessionId: string,
    options: ReadOptions = {},
  ): Promise<SessionSnapshot | undefined> {
    this.#catalog.leaveOff();
    const session = await this.#open(tenantId, sessionId, options);
    if (session === undefined) return undefined;
    return {
      revision: session.revision,
      trace: () => session.trace(options),
      messages: (agentId) => session.messages(agentId, options),
      orchestration: async () => logOf(await session.orchestrationEvents(options), options),
      analyse: (thread) => session.analyse(thread),
    };
  }

  async findCandidates(search: RecordSearch, options: ReadOptions = {}): Promise<RecordSearchPage> {
    return newestAtLast(search, async (isNew) => {
      const sessions = await this.#catalog.searched(isNew, options);
      return searchFiles(filesIn(this.#folder.root, this.#pool, this.#tasks.scan), sessions, search, options);
    });
  }

  async survey(request: SurveyRequest, options: ReadOptions = {}): Promise<readonly SourceSurvey[]> {
    if (request.onlyDue && this.#writer?.retention?.rule !== "deletes") return [];
    const surroundings = this.#pool.run(this.#tasks.surroundings, this.#folder, options);
    const [{ sessions, warnings }, around] = await Promise.all([
      this.#catalog.survey(request, options),
      surroundings.then((read) => this.#cache.answerOf(read)),
    ]);
    this.#cache.save();
    const { tenants } = request;
    const containers = this.#writer?.isPacked ? await this.#containersOf(sessions, options) : undefined;
    const listing = { sessions, warnings, surroundings: around, writer: this.#writer, tenants, containers };
    const survey = await runInSlices(surveyTranscripts(listing, this.#now()), options.signal);
    return [{ ...survey, path: this.#displayPath }];
  }

  #containersOf(sessions: readonly TranscriptSession[], options: ReadOptions): Promise<Containers> {
    const folders = sessions.flatMap(({ place }) => place.files.map((file) => path.dirname(file.path)));
    const request = { ...this.#folder, beginnings: [...new Set(folders)] };
    return this.#pool.run(this.#tasks.containers, request, options);
  }

  async revision(): Promise<undefined> {}

  async close(): Promise<void> {
    this.#sessions.clear();
    this.#rendered.clear();
    this.#catalog.forget();
    await this.#cache.close();
    if (this.#ownsPool) await this.#pool.close();
  }

  async #open(
    tenantId: string,
    sessionId: string,
    options: ReadOptions,
  ): Promise<TranscriptSnapshot | undefined> {
    const request = { ...this.#folder, tenantId, sessionId };
    const lane = TranscriptSnapshot.laneOfTenant(tenantId);
    const opened = await this.#pool.run(this.#tasks.open, request, { ...options, lane });
    const key = keyText(request);
    if (opened === undefined) {
      this.#sessions.forget(key);
      return undefined;
    }
    const same = this.#sessions.get(key, opened.revision);
    if (same !== undefined && !same.isOutdated) return same;
    const session = new TranscriptSnapshot(this.#folder, this.#tasks, this.#pool, this.#rendered, opened);
    return this.#sessions.keep(key, opened.revision, session);
  }
}
