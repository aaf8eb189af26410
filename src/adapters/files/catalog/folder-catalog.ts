import { LRUCache } from "lru-cache";
import type { SessionPage, SessionSearch } from "../../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../../application/ports/list-progress.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type { ReadOptions, RecordWarning } from "../../../application/ports/record-stream.js";
import { runInSlices } from "../../../application/threads/slices.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import { sessionFault } from "../bytes/line.js";
import { type SearchedSession, searchOrder } from "../search/search-order.js";
import { mapInFlight, portionsOf } from "../threads/in-flight.js";
import { laneOf } from "../threads/lanes.js";
import {
  type CatalogSummary,
  type CataloguedPlace,
  CataloguedSession,
  type LocatedSession,
} from "./catalogued-session.js";
import { newestFirst, newestSessions, type SessionReader } from "./newest-sessions.js";
import { ProgressReports } from "./progress-reports.js";
import { RecentReading } from "./recent-reading.js";
import { SharedReadings } from "./shared-readings.js";

type Sessions<Place extends CataloguedPlace, Summary extends CatalogSummary> = readonly CataloguedSession<
  Place,
  Summary
>[];

/** All sessions of a folder, as they are now. */
export interface LocatedSessions<Place extends CataloguedPlace> {
  readonly located: Iterable<LocatedSession<Place>>;
  /** What of the folder cannot be read. */
  readonly warnings: readonly RecordWarning[];
}

/** Describes the sessions of one discovery. */
export interface SessionDescriber<Session> {
  /** Called with each session that was read: the titles of others may follow from it. */
  add(session: Session): void;
  /** A session that was read, as an element of the list. What goes wrong with it is a fault in its summary. */
  describe(session: Session, now: number): InspectorSessionItem;
}

/** How the sessions of one kind of folder are found and read. All work on files is done by reading tasks. */
export interface CatalogStrategy<Place extends CataloguedPlace, Summary extends CatalogSummary> {
  discover(signal: AbortSignal): Promise<LocatedSessions<Place>>;
  /** One session, without a look at the others; none where it is not there. */
  find(tenantId: string, sessionId: string, signal: AbortSignal): Promise<Iterable<LocatedSession<Place>>>;
  /** Whether a place says what it said before. Default is that it does. */
  isSame?(before: Place, now: Place): boolean;
  /** Its main file or folder: what is read of it is read in the same thread each time. */
  pathOf(place: Place): string;
  /** What a warning calls it. */
  nameOf(place: Place): string;
  /** The summaries that are cached, `null` for others; `undefined` where there is none of any. Default is that there is no cache. */
  recall?(
    sessions: Sessions<Place, Summary>,
    lane: number,
    signal: AbortSignal,
  ): Promise<readonly (Summary | null)[] | undefined>;
  /** The newest instant in the ends of the files of each; `NaN` where there is none. Default is that nothing but reading tells it. */
  newestInTails?(
    sessions: Sessions<Place, Summary>,
    lane: number,
    signal: AbortSignal,
  ): Promise<Float64Array>;
  /** `null` for one that is gone. */
  summarize(
    sessions: Sessions<Place, Summary>,
    lane: number,
    signal: AbortSignal,
  ): Promise<readonly (Summary | null)[]>;
  describer(): SessionDescriber<CataloguedSession<Place, Summary>>;
  /** The sessions as a search of their files needs them, in any order. */
  searched(
    sessions: Sessions<Place, Summary>,
    signal: AbortSignal | undefined,
  ): Promise<Iterable<SearchedSession>>;
}

export interface CatalogOptions {
  readonly pool: ReadingPool;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** How much is read in one task, so that other requests have their turn: bytes of files, and sessions. */
const BYTES_AT_A_TIME = 4 * 1024 * 1024;
const SESSIONS_AT_A_TIME = 32;

/** How many sessions one task looks at the ends of, and how many it asks a cache for. */
const TAILS_AT_A_TIME = 64;
const RECALLED_AT_A_TIME = 256;

/** How many tasks are queued for each thread, so that it does not wait for the next one. */
const TASKS_AHEAD = 2;

const SESSIONS_PER_PAUSE = 256;

/** How many sessions are cached that were found without the others. */
const SINGLE_SESSIONS = 32;

/** What there is at one moment. */
interface Discovery<Session> {
  /** The latest estimate first. */
  readonly sessions: readonly Session[];
  readonly describer: SessionDescriber<Session>;
  readonly warnings: readonly RecordWarning[];
}

/**
 * The sessions of a folder, each from its own files. A summary is cached while the session's files are the same, so that a list
 * that was read before costs one lookup of each file, in threads.
 */
export class FolderCatalog<Place extends CataloguedPlace, Summary extends CatalogSummary> {
  readonly #strategy: CatalogStrategy<Place, Summary>;
  readonly #options: CatalogOptions;
  readonly #discovery = new RecentReading((signal) => this.#discover(signal));
  readonly #searches = new SharedReadings<SessionPage>();
  /** Those that were found without the others. */
  readonly #single = new LRUCache<string, CataloguedSession<Place, Summary>>({ max: SINGLE_SESSIONS });
  readonly #progress: ProgressReports;
  #searched: { readonly of: Discovery<unknown>; readonly sessions: readonly SearchedSession[] } | undefined;

  constructor(strategy: CatalogStrategy<Place, Summary>, options: CatalogOptions) {
    this.#strategy = strategy;
    this.#options = options;
    this.#progress = new ProgressReports(options.onProgress);
  }

  /** The sessions that match. Callers share the items: they copy them before they hand them out. */
  find(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    return this.#searches.read(JSON.stringify(search), (signal) => this.#find(search, signal), options);
  }

  /**
   * The sessions as a search of their files needs them, in the order in which they are searched.
   *
   * @param isNew whether they have to be as they are now; else they may be as they were a few seconds ago
   */
  async searched(isNew: boolean, options: ReadOptions = {}): Promise<readonly SearchedSession[]> {
    const discovery = await (isNew ? this.#discovery.now(options) : this.#discovery.recent(options));
    if (this.#searched?.of !== discovery) {
      const sessions = await this.#strategy.searched(discovery.sessions, options.signal);
      const inOrder = await runInSlices(searchOrder(sessions), options.signal);
      this.#searched = { of: discovery, sessions: inOrder };
    }
    return this.#searched.sessions;
  }

  /** Reads what a page of the newest sessions needs: whoever asks first gets them as they are now. */
  readAhead(limit: number): void {
    this.#discovery.ahead(async (discovery, signal) => {
      await newestSessions(this.#readerOf(discovery, signal), { limit }, signal);
    });
  }

  forget(): void {
    this.#single.clear();
    this.#discovery.forget();
    this.#searched = undefined;
  }

  async #find(search: SessionSearch, signal: AbortSignal): Promise<SessionPage> {
    const { tenantId, sessionId, after } = search;
    if (tenantId !== undefined && sessionId !== undefined) {
      const single = await this.#discoverOne(tenantId, sessionId, signal);
      const { items } = await newestSessions(this.#readerOf(single, signal), search, signal);
      return { items };
    }
    const discovery = await (after === undefined
      ? this.#discovery.aheadOrNow({ signal })
      : this.#discovery.recent({ signal }));
    const page = await newestSessions(this.#readerOf(discovery, signal), search, signal);
    return { ...page, warnings: [...discovery.warnings, ...this.#faultsOf(discovery.sessions)] };
  }

  #readerOf(
    discovery: Discovery<CataloguedSession<Place, Summary>>,
    signal: AbortSignal,
  ): SessionReader<CataloguedSession<Place, Summary>> {
    const { sessions, describer } = discovery;
    return {
      sessions,
      refine: (coarse) => this.#refine(coarse, signal),
      read: (unread) => this.#read(unread, discovery, signal),
      describe: (session) => describer.describe(session, this.#options.now()),
    };
  }

  async #discover(signal: AbortSignal): Promise<Discovery<CataloguedSession<Place, Summary>>> {
    const { located, warnings } = await this.#strategy.discover(signal);
    const before = new Map(this.#discovery.last?.sessions.map((one) => [keyOf(one), one]));
    const catalogued = await runInSlices(this.#catalogue(located, before), signal);
    await this.#recall(catalogued, signal);
    const sessions = await runInSlices(newestFirst(catalogued), signal);
    const describer = this.#strategy.describer();
    for (const one of sessions) if (one.summary) describer.add(one);
    return { sessions, describer, warnings };
  }

  /** One session alone. What other sessions say of it is added once they were read for a list. */
  async #discoverOne(
    tenantId: string,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<Discovery<CataloguedSession<Place, Summary>>> {
    const located = await this.#strategy.find(tenantId, sessionId, signal);
    const sessions = await runInSlices(this.#catalogue(located, this.#single), signal);
    for (const one of sessions) this.#single.set(keyOf(one), one);
    await this.#recall(sessions, signal);
    const describer = this.#discovery.last?.describer ?? this.#strategy.describer();
    return { sessions, describer, warnings: [] };
  }

  /** @param before sessions as they were, by their keys: they stay where their files are the same */
  *#catalogue(
    located: Iterable<LocatedSession<Place>>,
    before: Pick<ReadonlyMap<string, CataloguedSession<Place, Summary>>, "get">,
  ): Generator<void, CataloguedSession<Place, Summary>[]> {
    const { isSame = () => true } = this.#strategy;
    const sessions: CataloguedSession<Place, Summary>[] = [];
    for (const one of located) {
      const earlier = before.get(keyOf(one.place));
      if (earlier?.isUpToDate(one.identity) && isSame(earlier.place, one.place)) sessions.push(earlier);
      else sessions.push(new CataloguedSession(one, earlier, this.#strategy.newestInTails === undefined));
      if (sessions.length % SESSIONS_PER_PAUSE === 0) yield;
    }
    return sessions;
  }

  async #refine(coarse: Sessions<Place, Summary>, signal: AbortSignal): Promise<void> {
    await this.#inThreads(coarse, portionsToRefine, async (portion, lane) => {
      const newest = await this.#strategy.newestInTails?.(portion, lane, signal);
      for (const [i, one] of portion.entries()) one.refine(newest?.[i] ?? Number.NaN);
    });
  }

  /** Sums up sessions. Each is known at once, so that an aborted search leaves its work to the next one. */
  async #read(
    unread: Sessions<Place, Summary>,
    { sessions: all, describer }: Discovery<CataloguedSession<Place, Summary>>,
    signal: AbortSignal,
  ): Promise<void> {
    this.#progress.begin();
    await this.#inThreads(unread, portionsBySize, async (portion, lane) => {
      const summaries = await this.#strategy.summarize(portion, lane, signal);
      for (const [i, one] of portion.entries()) {
        one.summary = summaries[i]!;
        if (one.summary) describer.add(one);
      }
      this.#progress.report(() => all.filter(({ isRead }) => isRead).length, all.length);
    });
  }

  /** Takes the summaries that are cached: no file is opened for them. */
  async #recall(sessions: Sessions<Place, Summary>, signal: AbortSignal): Promise<void> {
    if (this.#strategy.recall === undefined) return;
    const unasked = sessions.filter(({ isRecalled, isRead }) => !isRecalled && !isRead);
    let isEmpty = false;
    await this.#inThreads(unasked, portionsToRecall, async (portion, lane) => {
      if (isEmpty) return;
      const summaries = await this.#strategy.recall?.(portion, lane, signal);
      isEmpty = summaries === undefined;
      for (const [i, one] of portion.entries()) {
        one.isRecalled = true;
        one.summary = summaries?.[i] ?? undefined;
      }
    });
  }

  /** Each session is always given to the same thread, which has cached what it read of it; all threads begin at once. */
  async #inThreads(
    sessions: Sessions<Place, Summary>,
    split: (ofLane: Sessions<Place, Summary>) => readonly Sessions<Place, Summary>[],
    work: (portion: Sessions<Place, Summary>, lane: number) => Promise<void>,
  ): Promise<void> {
    const { threads } = this.#options.pool;
    const lanes = Array.from({ length: threads }, (): CataloguedSession<Place, Summary>[] => []);
    for (const one of sessions) lanes[laneOf(this.#strategy.pathOf(one.place)) % threads]!.push(one);
    await Promise.all(
      lanes.map((ofLane, lane) => mapInFlight(split(ofLane), TASKS_AHEAD, (portion) => work(portion, lane))),
    );
  }

  /** The sessions that nobody expected to fail. */
  #faultsOf(sessions: Sessions<Place, Summary>): RecordWarning[] {
    return sessions.flatMap(({ fault, place }) =>
      fault === undefined
        ? []
        : [{ file: this.#strategy.nameOf(place), line: 1, reason: sessionFault(fault) }],
    );
  }
}

const portionsToRefine = <Session>(sessions: readonly Session[]) => portionsOf(sessions, TAILS_AT_A_TIME);
const portionsToRecall = <Session>(sessions: readonly Session[]) => portionsOf(sessions, RECALLED_AT_A_TIME);

/** Sessions in portions that take about the same time. */
function portionsBySize<Session extends CataloguedSession>(sessions: readonly Session[]): Session[][] {
  const portions: Session[][] = [];
  let portion: Session[] = [];
  let bytes = 0;
  for (const one of sessions) {
    portion.push(one);
    bytes += one.bytes;
    if (bytes < BYTES_AT_A_TIME && portion.length < SESSIONS_AT_A_TIME) continue;
    portions.push(portion);
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) portions.push(portion);
  return portions;
}

function keyOf({ tenantId, sessionId }: Pick<CataloguedPlace, "tenantId" | "sessionId">): string {
  return `${tenantId}\0${sessionId}`;
}
