import { LRUCache } from "lru-cache";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import type { SessionPage, SessionSearch } from "../../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../../application/ports/list-progress.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type { ReadOptions, RecordWarning } from "../../../application/ports/record-stream.js";
import type { SurveyRequest } from "../../../application/ports/source-survey.js";
import { SharedReadings } from "../../../application/threads/shared-readings.js";
import { runInSlices } from "../../../application/threads/slices.js";
import { isPause } from "../../../domain/lists/is-pause.js";
import { LONGEST_ID } from "../../../domain/session/ids.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import { keyText } from "../../../domain/session/session-key.js";
import { sessionFault } from "../bytes/line.js";
import { type ExtraWork, extraWorkOfList } from "../bytes/reading-budget.js";
import { type SearchedSession, searchOrder } from "../search/search-order.js";
import { CataloguedSession, type LocatedSession } from "./catalogued-session.js";
import { newestFirst, newestSessions, type SessionReader } from "./newest-sessions.js";
import { ProgressReports } from "./progress-reports.js";
import { ReadingQueue } from "./reading-queue.js";
import { RecentReading } from "./recent-reading.js";
import { hasFacts, type ReadingStrategy, SessionReadings, withFactsOf } from "./session-readings.js";

export interface SessionDescriber<Session> {
  /** Called with each session after its reading: other titles may depend on it. */
  add(session: Session): void;
  /** Errors become a fault in the session's summary. */
  describe(session: Session, now: number): InspectorSessionItem;
}

type Located<Session extends CataloguedSession> = Iterable<LocatedSession<Session["place"]>>;

interface SessionListing<Session extends CataloguedSession> {
  readonly located: Located<Session>;
  /** Unreadable parts of the folder. */
  readonly warnings: readonly RecordWarning[];
  /** Equal only if the complete result is equal. Default is no version. */
  readonly version?: string | undefined;
}

/** Reading tasks do all work on files. */
export interface CatalogStrategy<Session extends CataloguedSession> extends ReadingStrategy<Session> {
  /** Present state of all sessions. */
  discover(signal: AbortSignal): Promise<SessionListing<Session>>;
  /** Does not look at other sessions; empty if the session does not exist. */
  find(tenantId: string, sessionId: string, signal: AbortSignal): Promise<Located<Session>>;
  /** True if the content of a place is unchanged. Default is true. */
  isSame?(before: Session["place"], now: Session["place"]): boolean;
  /** For warnings. */
  nameOf(session: Session): string;
  describer(): SessionDescriber<Session>;
  /** In any order. */
  searched(sessions: readonly Session[], signal: AbortSignal | undefined): Promise<Iterable<SearchedSession>>;
}

export interface CatalogOptions {
  readonly pool: ReadingPool;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** Bounds of the warnings about sessions over a limit. */
const MOST_NAMED = 20;
const LONGEST_NAME = 600;

const ID_TOO_LONG = `is skipped: its id or its tenant's is longer than ${LONGEST_ID} characters. Shorten it to read the session`;

const SINGLE_SESSIONS = 32;

interface SurveyedSessions<Session> {
  /** Latest estimate first. */
  readonly sessions: readonly Session[];
  /** Unreadable parts of the folder. */
  readonly warnings: readonly RecordWarning[];
}

interface Discovery<Session> {
  /** Latest estimate first. */
  readonly sessions: readonly Session[];
  readonly describer: SessionDescriber<Session>;
  readonly warnings: readonly RecordWarning[];
  readonly version?: string | undefined;
}

/** Summaries are cached while a session's files are the same, so a repeated list costs one lookup of each file, in threads. */
export class FolderCatalog<Session extends CataloguedSession> {
  readonly #strategy: CatalogStrategy<Session>;
  readonly #options: CatalogOptions;
  readonly #discovery = new RecentReading((signal) => this.#discover(signal));
  readonly #searches = new SharedReadings<SessionPage>();
  readonly #readings: SessionReadings<Session>;
  /** For responses with a budget. */
  readonly #summaries = this.#queue(({ isRead }) => isRead, false);
  readonly #facts = this.#queue(hasFacts, true);
  readonly #surveys = new SharedReadings<SurveyedSessions<Session>>();
  /** Sessions that were located without the others. */
  readonly #single = new LRUCache<string, Session>({ max: SINGLE_SESSIONS });
  readonly #searched = new CachedWhileSame<Discovery<Session>, readonly SearchedSession[]>({ max: 1 });

  constructor(strategy: CatalogStrategy<Session>, options: CatalogOptions) {
    this.#strategy = strategy;
    this.#options = options;
    this.#readings = new SessionReadings(strategy, options.pool, new ProgressReports(options.onProgress));
  }

  /** Callers share the items: they must copy them before they return them. */
  find(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    return this.#searches.read(JSON.stringify(search), (signal) => this.#find(search, signal), options);
  }

  /**
   * In search order.
   * @param isNew true for the present state; otherwise it may be a few seconds old
   */
  async searched(isNew: boolean, options: ReadOptions = {}): Promise<readonly SearchedSession[]> {
    const discovery = await (isNew ? this.#discovery.now(options) : this.#discovery.recent(options));
    const same = this.#searched.get("", discovery);
    if (same !== undefined) return same;
    const sessions = await this.#strategy.searched(discovery.sessions, options.signal);
    return this.#searched.keep("", discovery, await runInSlices(searchOrder(sessions), options.signal));
  }

  /** The budget limits the time for unread sessions. */
  survey(request: SurveyRequest, options?: ReadOptions): Promise<SurveyedSessions<Session>> {
    return this.#surveys.read(JSON.stringify(request), (signal) => this.#survey(request, signal), options);
  }

  /** Reads the newest sessions in advance, or only discovers sessions. The first caller receives this state. */
  readAhead(limit: number): void {
    this.#discovery.ahead(async (discovery, signal) => {
      if (limit === 0) return;
      await newestSessions(this.#readerOf(discovery, signal), { limit }, signal);
    });
  }

  /** Called for other requests: reading in advance must not delay them. */
  leaveOff(): void {
    this.#discovery.leaveOff();
  }

  forget(): void {
    this.#single.clear();
    this.#discovery.forget();
    this.#searched.clear();
  }

  async #find(search: SessionSearch, signal: AbortSignal): Promise<SessionPage> {
    const { tenantId, sessionId, withFacts = false } = search;
    if (tenantId !== undefined && sessionId !== undefined) {
      const single = await this.#discoverOne(tenantId, sessionId, signal);
      const { items } = await newestSessions(this.#readerOf(single, signal, withFacts), search, signal);
      return { items };
    }
    const discovery = await this.#discoveryOf(search, signal);
    const page = await newestSessions(this.#readerOf(discovery, signal, withFacts), search, signal);
    return { ...page, warnings: [...discovery.warnings, ...this.#warningsOf(discovery.sessions)] };
  }

  #discoveryOf(
    { after, withFacts = false, budgetMs }: SessionSearch,
    signal: AbortSignal,
  ): Promise<Discovery<Session>> {
    if (after !== undefined) return this.#discovery.recent({ signal });
    return budgetMs === undefined
      ? this.#discovery.aheadOrNow({ signal })
      : this.#discoveryFor(this.#isReady(withFacts), signal);
  }

  #queue(isReady: (session: Session) => boolean, withFacts: boolean): ReadingQueue<Session> {
    // Continues between requests: none of them aborts it.
    const { signal } = new AbortController();
    return new ReadingQueue(isReady, (portion) =>
      this.#readIn(this.#discovery.last!, portion, signal, withFacts, this.#extraWork()),
    );
  }

  /** Activity counts only if a source can provide it. */
  #isReady(withFacts: boolean): (session: Session) => boolean {
    return withFacts && this.#strategy.facts !== undefined ? hasFacts : ({ isRead }) => isRead;
  }

  /** Reused during a scan: the remaining sessions were discovered a few seconds ago. */
  #discoveryFor(isReady: (session: Session) => boolean, signal: AbortSignal): Promise<Discovery<Session>> {
    const isGoingOn = this.#discovery.last?.sessions.some((one) => !isReady(one)) ?? false;
    return isGoingOn ? this.#discovery.recent({ signal }) : this.#discovery.aheadOrNow({ signal });
  }

  async #survey(
    { tenants, budgetMs }: SurveyRequest,
    signal: AbortSignal,
  ): Promise<SurveyedSessions<Session>> {
    const until = performance.now() + budgetMs;
    const discovery = await this.#discoveryFor(({ isRead }) => isRead, signal);
    const own = tenants && new Set(tenants);
    const wanted = discovery.sessions.filter(({ tenantId }) => own === undefined || own.has(tenantId));
    const unread = wanted.filter(({ isRead }) => !isRead);
    await this.#summaries.wait(unread, Math.max(0, until - performance.now()), signal);
    return { sessions: wanted.filter(({ isGone }) => !isGone), warnings: discovery.warnings };
  }

  #readerOf(discovery: Discovery<Session>, signal: AbortSignal, withFacts = false): SessionReader<Session> {
    const { sessions, describer } = discovery;
    const needsFacts = withFacts && this.#strategy.facts !== undefined;
    const ofList = this.#extraWork();
    const describe = (session: Session) => describer.describe(session, this.#options.now());
    return {
      sessions,
      isReady: this.#isReady(withFacts),
      refine: (coarse) => this.#readings.refine(coarse, signal),
      read: (unread) => this.#readIn(discovery, unread, signal, needsFacts, ofList),
      readFor: (unread, budgetMs) =>
        needsFacts
          ? this.#waitForFacts(unread, budgetMs, signal)
          : this.#summaries.wait(unread, budgetMs, signal),
      describe: needsFacts ? (session) => withFactsOf(session, describe(session)) : describe,
    };
  }

  /** Cached data comes first: it is available for all sessions before any file is read. */
  async #waitForFacts(unread: readonly Session[], budgetMs: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + budgetMs;
    if (!(await this.#readings.recallFactsFor(unread, budgetMs, signal))) return;
    const left = unread.filter((one) => !hasFacts(one));
    await this.#facts.wait(left, Math.max(0, until - performance.now()), signal);
  }

  async #discover(signal: AbortSignal): Promise<Discovery<Session>> {
    const { located, warnings, version } = await this.#strategy.discover(signal);
    const { last } = this.#discovery;
    if (
      version !== undefined &&
      version === last?.version &&
      last.sessions.every(({ isSettled }) => isSettled)
    )
      return last;
    const before = new Map(last?.sessions.map((one) => [keyText(one), one]));
    const catalogued = await runInSlices(this.#catalogue(located, before), signal);
    // A cached summary costs less than a look at the ends of files.
    if (this.#strategy.newestInTails !== undefined) await this.#readings.recall(catalogued, signal);
    const ordered = await runInSlices(newestFirst(catalogued), signal);
    const sessions = ordered.filter((one) => !hasLongId(one));
    const describer = this.#strategy.describer();
    for (const one of sessions) if (one.summary) describer.add(one);
    const unlisted = this.#firstOf(ordered.filter(hasLongId), () => ID_TOO_LONG);
    return { sessions, describer, warnings: [...warnings, ...unlisted], version };
  }

  /** Facts from other sessions are only available after a list. */
  async #discoverOne(tenantId: string, sessionId: string, signal: AbortSignal): Promise<Discovery<Session>> {
    const located = await this.#strategy.find(tenantId, sessionId, signal);
    const sessions = await runInSlices(this.#catalogue(located, this.#single), signal);
    for (const one of sessions) this.#single.set(keyText(one), one);
    const describer = this.#discovery.last?.describer ?? this.#strategy.describer();
    return { sessions, describer, warnings: [] };
  }

  /** @param before earlier sessions by key: they stay if their files are the same */
  *#catalogue(
    located: Located<Session>,
    before: Pick<ReadonlyMap<string, Session>, "get" | "size">,
  ): Generator<void, Session[]> {
    const { isSame = () => true } = this.#strategy;
    const isRefined = this.#strategy.newestInTails === undefined;
    const sessions: Session[] = [];
    for (const one of located) {
      const earlier = before.size === 0 ? undefined : before.get(keyText(one.place));
      if (earlier?.isUpToDate(one.identity) && isSame(earlier.place, one.place)) sessions.push(earlier);
      else sessions.push(new CataloguedSession(one, earlier, isRefined) as Session);
      if (isPause(sessions.length)) yield;
    }
    return sessions;
  }

  #readIn(
    { sessions: all, describer }: Discovery<Session>,
    unread: readonly Session[],
    signal: AbortSignal,
    withFacts: boolean,
    ofList: ExtraWork,
  ): Promise<void> {
    const take = (session: Session) => describer.add(session);
    return this.#readings.read(unread, { all, take, ofList }, signal, withFacts);
  }

  #extraWork(): ExtraWork {
    return extraWorkOfList(this.#options.pool.threads);
  }

  /** All sessions with unexpected errors, and the first ones over a limit. */
  #warningsOf(sessions: readonly Session[]): RecordWarning[] {
    const failed = sessions.filter(({ fault }) => fault !== undefined);
    const unread = sessions.filter(({ summary }) => summary?.unread !== undefined);
    return [
      ...this.#named(failed, ({ fault }) => sessionFault(fault!)),
      ...this.#firstOf(unread, ({ summary }) => summary!.unread!),
    ];
  }

  #named(sessions: readonly Session[], reasonOf: (session: Session) => string): RecordWarning[] {
    return sessions.map((one) => {
      const file = this.#strategy.nameOf(one);
      return { file: file.slice(0, LONGEST_NAME), line: 1, reason: reasonOf(one) };
    });
  }

  #firstOf(sessions: readonly Session[], reasonOf: (session: Session) => string): RecordWarning[] {
    const more = sessions.length - MOST_NAMED;
    const others = () => `is skipped or cut, as are ${sessions.length - 1} other sessions of this list`;
    return [
      ...this.#named(sessions.slice(0, MOST_NAMED), reasonOf),
      ...(more > 0 ? this.#named(sessions.slice(-1), others) : []),
    ];
  }
}

function hasLongId({ tenantId, sessionId }: CataloguedSession): boolean {
  return tenantId.length > LONGEST_ID || sessionId.length > LONGEST_ID;
}
