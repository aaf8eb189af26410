import { LRUCache } from "lru-cache";
import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../../application/ports/record-search.js";
import type { ReadOptions, RecordStream, TraceStream } from "../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionSource, SourceCapabilities } from "../../application/ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../../application/ports/source-survey.js";
import { surveysOfList } from "../../application/sources/source-surveys.js";
import { runInSlices, yieldToEventLoop } from "../../application/threads/slices.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { FUNCTION, integerFrom } from "../../domain/options/option-kinds.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { fingerprintOfNumbers, hash53 } from "../../domain/text/fingerprints.js";
import type { Database } from "./database.js";
import { findSessionsQuery } from "./find-sessions.js";
import type { Row } from "./lease.js";
import { searchRecords } from "./search-records.js";
import { toItem } from "./session-item.js";
import type { RecordRange } from "./stored-records.js";
import { findSession, readState, type StoredSession } from "./stored-session.js";
import { streamRecords } from "./stream-records.js";
import { StoredTraceKeys } from "./trace-keys.js";

export interface PostgresDataSourceOptions {
  /** Approximate maximum memory for the keys of traces, in bytes. Default is 32 MiB. */
  readonly cacheBytes?: number | undefined;
  /** The clock, in milliseconds since the epoch. Default is the system's. */
  readonly now?: (() => number) | undefined;
}

export const POSTGRES_SOURCE_OPTIONS = {
  cacheBytes: integerFrom(1, "a number of bytes"),
  now: FUNCTION,
} satisfies OptionTable<PostgresDataSourceOptions>;

const LONGEST_PAGE = 2_000;

const ROWS = 250;

/** Reads what any number of `PostgresSessionStore`s write. */
export class PostgresDataSource implements SessionSource {
  readonly capabilities: SourceCapabilities;
  readonly #database: Database;
  readonly #now: () => number;
  readonly #keys: LRUCache<string, StoredTraceKeys>;

  constructor(database: Database, options: PostgresDataSourceOptions = {}) {
    this.#database = database;
    const concurrentReads = database.mostConnections;
    this.capabilities = { surveys: false, searchesRecords: true, knowsRevision: false, concurrentReads };
    this.#now = answeringAtOnce("now", options.now ?? Date.now);
    this.#keys = new LRUCache({ maxSize: options.cacheBytes ?? 32 * 1024 * 1024 });
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const now = this.#now();
    const { text, values } = findSessionsQuery(this.#database.schema, search, now);
    if (search.limit !== undefined && search.limit <= LONGEST_PAGE) {
      // Filters vary too much for prepared statements, and each needs a plan for its own values.
      const rows = await (search.filter === undefined
        ? this.#database.queryPrepared(text, values, options)
        : this.#database.query(text, values, options));
      return { items: await toItems(rows, now, options) };
    }
    const items: ListedSession[] = [];
    for await (const rows of this.#database.cursor(text, values, ROWS, options)) {
      items.push(...(await toItems(rows, now, options)));
      await yieldToEventLoop();
    }
    return { items };
  }

  findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return searchRecords(this.#database, search, options);
  }

  async openSession(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined> {
    const session = await findSession(this.#database, { tenantId, sessionId }, options);
    if (session === undefined) return undefined;
    const { messages, orchestration } = session.lists;
    return {
      revision: `${session.incarnation}.${session.revision}`,
      trace: () => this.#openTrace(session, options),
      messages: async (agentId) =>
        this.#stream(session, agentId === undefined ? messages : { ...messages, size: 0 }, options),
      orchestration: async () => ({
        events: this.#stream(session, orchestration, options),
        state: async () => {
          const snapshot = await readState(this.#database, session, options);
          return snapshot && { snapshot };
        },
      }),
    };
  }

  survey(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]> {
    return surveysOfList(this, request, options);
  }

  async revision(): Promise<undefined> {}

  close(): Promise<void> {
    return this.#database.close();
  }

  async #openTrace(session: StoredSession, options?: ReadOptions): Promise<TraceStream> {
    const { incarnation } = session;
    const { trace } = session.lists;
    let keys = trace.size === 0 ? undefined : this.#keys.get(incarnation);
    keys ??= StoredTraceKeys.none;
    if (keys.size > trace.size) {
      keys = keys.first(trace.size);
    } else if (keys.size < trace.size) {
      keys = await keys.extend(this.#database, trace, options);
      this.#keys.set(incarnation, keys, { size: keys.bytes });
    }
    return { ...this.#stream(session, trace, options, (position) => keys.lengthAt(position)), keys };
  }

  /** A record has the same position as long as its session exists. */
  #stream(
    { incarnation }: StoredSession,
    range: RecordRange,
    options?: ReadOptions,
    lengthAt?: (position: number) => number,
  ): RecordStream {
    const id = hash53(incarnation);
    return {
      ...streamRecords(this.#database, range, options, lengthAt),
      fingerprintAt: (position) => fingerprintOfNumbers(id, range.first + position),
    };
  }
}

function toItems(rows: readonly Row[], now: number, { signal }: ReadOptions = {}): Promise<ListedSession[]> {
  return runInSlices(
    (function* () {
      const items: ListedSession[] = [];
      for (const row of rows) {
        items.push(toItem(row, now));
        yield;
      }
      return items;
    })(),
    signal,
  );
}
