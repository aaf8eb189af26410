import { LRUCache } from "lru-cache";
import { KeptWhileSame } from "../../../application/kept-while-same.js";
import type { SessionPage, SessionSearch } from "../../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../../application/ports/list-progress.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type { ReadOptions, RecordWarning } from "../../../application/ports/record-stream.js";
import type { SurveyRequest } from "../../../application/ports/source-survey.js";
import { SharedReadings } from "../../../application/threads/shared-readings.js";
import { runInSlices } from "../../../application/threads/slices.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import type { ListedSession } from "../../../domain/usage/model-usage.js";
import { sessionFault } from "../bytes/line.js";
import { type SearchedSession, searchOrder } from "../search/search-order.js";
import { laneOf, mapInFlight } from "../threads/in-flight.js";
import { CataloguedSession, type LocatedSession } from "./catalogued-session.js";
import type { FactsStrategy } from "./facts-strategy.js";
import { newestFirst, newestSessions, type SessionReader } from "./newest-sessions.js";
import { ProgressReports } from "./progress-reports.js";
import { ReadingOn } from "./reading-on.js";
import { RecentReading } from "./recent-reading.js";

export interface SessionDescriber<Session> {
  /** Called with each session that was read: the titles of others may follow from it. */
  add(session: Session): void;
  /** A session that was read, as an element of the list. What goes wrong with it is a fault in its summary. */
  describe(session: Session, now: number): InspectorSessionItem;
}

type Located<Session extends CataloguedSession> = Iterable<LocatedSession<Session["place"]>>;

interface FoundSessions<Session extends CataloguedSession> {
  readonly located: Located<Session>;
  /** What of the folder cannot be read. */
  readonly warnings: readonly RecordWarning[];
  /** The same as before only where all of that is. Default is that nobody knows. */
  readonly version?: string | undefined;
}

/** How the sessions of one kind of folder are found and read. All work on files is done by reading tasks. */
export interface CatalogStrategy<Session extends CataloguedSession> {
  /** All sessions as they are now. */
  discover(signal: AbortSignal): Promise<FoundSessions<Session>>;
  /** One session, without a look at the others; none where it is not there. */
  find(tenantId: string, sessionId: string, signal: AbortSignal): Promise<Located<Session>>;
  /** Whether a place says what it said before. Default is that it does. */
  isSame?(before: Session["place"], now: Session["place"]): boolean;
  /** Its main file or folder: what is read of it is read in the same thread each time. */
  pathOf(session: Session): string;
  /** What a warning calls it. */
  nameOf(session: Session): string;
  /** The summaries that are cached, `null` for others; `undefined` where there is none of any. Default is that there is no cache. */
  recall?(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
  ): Promise<readonly Session["summary"][] | undefined>;
  /** The newest instant in the ends of the files of each; `NaN` where there is none. Default is that nothing but reading tells it. */
  newestInTails?(sessions: readonly Session[], lane: number, signal: AbortSignal): Promise<Float64Array>;
  /** `null` for one that is gone. */
  summarize(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
  ): Promise<readonly Session["summary"][]>;
  /** Reads what sessions did. Default is that nothing here tells. */
  readonly facts?: FactsStrategy<Session>;
  describer(): SessionDescriber<Session>;
  /** The sessions as a search of their files needs them, in any order. */
  searched(sessions: readonly Session[], signal: AbortSignal | undefined): Promise<Iterable<SearchedSession>>;
}

export interface CatalogOptions {
  readonly pool: ReadingPool;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** How much one task reads, so that other requests have their turn; of how many sessions one looks at the ends, or asks a cache. */
const READ_AT_A_TIME = { sessions: 32, bytes: 4 * 1024 * 1024 };
const REFINED_AT_A_TIME = { sessions: 64 };
const RECALLED_AT_A_TIME = { sessions: 256 };
const FACTS_AT_A_TIME = { sessions: 128 };

/** How many threads load what is cached, each all of it. */
const RECALLING_THREADS = 2;

const SESSIONS_PER_PAUSE = 256;

/** How many sessions are cached that were found without the others. */
const SINGLE_SESSIONS = 32;

interface SurveyedSessions<Session> {
  /** The latest estimate first. */
  readonly sessions: readonly Session[];
  /** What of the folder cannot be read. */
  readonly warnings: readonly RecordWarning[];
}

interface Discovery<Session> {
  /** The latest estimate first. */
  readonly sessions: readonly Session[];
  readonly describer: SessionDescriber<Session>;
  readonly warnings: readonly RecordWarning[];
  readonly version?: string | undefined;
}

/**
 * The sessions of a folder, each from its own files. A summary is cached while the session's files are the same, so that a list
 * that was read before costs one lookup of each file, in threads.
 */
export class FolderCatalog<Session extends CataloguedSession> {
  readonly #strategy: CatalogStrategy<Session>;
  readonly #options: CatalogOptions;
  readonly #discovery = new RecentReading((signal) => this.#discover(signal));
  readonly #searches = new SharedReadings<SessionPage>();
  /** What answers with a budget read of sessions: their summaries alone, and with what they did. */
  readonly #summing = new ReadingOn();
  readonly #deriving = new ReadingOn();
  readonly #surveys = new SharedReadings<SurveyedSessions<Session>>();
  /** Those that were found without the others. */
  readonly #single = new LRUCache<string, Session>({ max: SINGLE_SESSIONS });
  readonly #progress: ProgressReports;
  readonly #searched = new KeptWhileSame<Discovery<Session>, readonly SearchedSession[]>({ max: 1 });

  constructor(strategy: CatalogStrategy<Session>, options: CatalogOptions) {
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
    const same = this.#searched.get("", discovery);
    if (same !== undefined) return same;
    const sessions = await this.#strategy.searched(discovery.sessions, options.signal);
    return this.#searched.keep("", discovery, await runInSlices(searchOrder(sessions), options.signal));
  }

  /** The sessions of some tenants as they are known, after about so much time was spent on reading those that are not. */
  survey(request: SurveyRequest, options?: ReadOptions): Promise<SurveyedSessions<Session>> {
    return this.#surveys.read(JSON.stringify(request), (signal) => this.#survey(request, signal), options);
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
    this.#searched.clear();
  }

  async #find(search: SessionSearch, signal: AbortSignal): Promise<SessionPage> {
    const { tenantId, sessionId, after, withFacts = false, budgetMs } = search;
    if (tenantId !== undefined && sessionId !== undefined) {
      const single = await this.#discoverOne(tenantId, sessionId, signal);
      const { items } = await newestSessions(this.#readerOf(single, signal, withFacts), search, signal);
      return { items };
    }
    const discovery = await (after === undefined && !(budgetMs !== undefined && this.#isGoingOn(withFacts))
      ? this.#discovery.aheadOrNow({ signal })
      : this.#discovery.recent({ signal }));
    const page = await newestSessions(this.#readerOf(discovery, signal, withFacts), search, signal);
    return { ...page, warnings: [...discovery.warnings, ...this.#faultsOf(discovery.sessions)] };
  }

  /** Whether sessions are left to be read, as they were found a few seconds ago: then they need not be found anew for each answer. */
  #isGoingOn(withFacts: boolean): boolean {
    const needsFacts = withFacts && this.#strategy.facts !== undefined;
    const isReady = needsFacts ? hasFacts : ({ isRead }: Session) => isRead;
    return this.#discovery.last?.sessions.some((one) => !isReady(one)) ?? false;
  }

  async #survey(
    { tenants, budgetMs }: SurveyRequest,
    signal: AbortSignal,
  ): Promise<SurveyedSessions<Session>> {
    const until = performance.now() + budgetMs;
    const discovery = await (this.#isGoingOn(false)
      ? this.#discovery.recent({ signal })
      : this.#discovery.aheadOrNow({ signal }));
    const own = tenants && new Set(tenants);
    const wanted = discovery.sessions.filter(({ tenantId }) => own === undefined || own.has(tenantId));
    const unread = wanted.filter(({ isRead }) => !isRead);
    if (unread.length > 0) {
      const read = (stop: AbortSignal) => this.#read(unread, discovery, stop);
      await this.#summing.wait(Math.max(0, until - performance.now()), read, signal);
    }
    return { sessions: wanted.filter(({ isGone }) => !isGone), warnings: discovery.warnings };
  }

  #readerOf(discovery: Discovery<Session>, signal: AbortSignal, withFacts = false): SessionReader<Session> {
    const { sessions, describer } = discovery;
    const needsFacts = withFacts && this.#strategy.facts !== undefined;
    const read = (unread: readonly Session[]) => this.#read(unread, discovery, signal, needsFacts);
    const describe = (session: Session) => describer.describe(session, this.#options.now());
    return {
      sessions,
      read,
      isReady: needsFacts ? hasFacts : ({ isRead }) => isRead,
      refine: (coarse) => this.#refine(coarse, signal),
      readFor: async (unread, budgetMs) => {
        const all = (stop: AbortSignal) => this.#read(unread, discovery, stop, needsFacts);
        if (unread.length > 0)
          await (needsFacts ? this.#deriving : this.#summing).wait(budgetMs, all, signal);
      },
      describe: needsFacts ? (session) => withFactsOf(session, describe(session)) : describe,
    };
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
    const before = new Map(last?.sessions.map((one) => [keyOf(one), one]));
    const catalogued = await runInSlices(this.#catalogue(located, before), signal);
    // A cached summary costs less than a look at the ends of files.
    if (this.#strategy.newestInTails !== undefined) await this.#recall(catalogued, signal);
    const sessions = await runInSlices(newestFirst(catalogued), signal);
    const describer = this.#strategy.describer();
    for (const one of sessions) if (one.summary) describer.add(one);
    return { sessions, describer, warnings, version };
  }

  /** One session alone. What other sessions say of it is added once they were read for a list. */
  async #discoverOne(tenantId: string, sessionId: string, signal: AbortSignal): Promise<Discovery<Session>> {
    const located = await this.#strategy.find(tenantId, sessionId, signal);
    const sessions = await runInSlices(this.#catalogue(located, this.#single), signal);
    for (const one of sessions) this.#single.set(keyOf(one), one);
    const describer = this.#discovery.last?.describer ?? this.#strategy.describer();
    return { sessions, describer, warnings: [] };
  }

  /** @param before sessions as they were, by their keys: they stay where their files are the same */
  *#catalogue(
    located: Located<Session>,
    before: Pick<ReadonlyMap<string, Session>, "get" | "size">,
  ): Generator<void, Session[]> {
    const { isSame = () => true } = this.#strategy;
    const isRefined = this.#strategy.newestInTails === undefined;
    const sessions: Session[] = [];
    for (const one of located) {
      const earlier = before.size === 0 ? undefined : before.get(keyOf(one.place));
      if (earlier?.isUpToDate(one.identity) && isSame(earlier.place, one.place)) sessions.push(earlier);
      else sessions.push(new CataloguedSession(one, earlier, isRefined) as Session);
      if (sessions.length % SESSIONS_PER_PAUSE === 0) yield;
    }
    return sessions;
  }

  async #refine(coarse: readonly Session[], signal: AbortSignal): Promise<void> {
    await this.#inThreads(coarse, REFINED_AT_A_TIME, async (portion, lane) => {
      const newest = await this.#strategy.newestInTails?.(portion, lane, signal);
      for (const [i, one] of portion.entries()) one.refine(newest?.[i] ?? Number.NaN);
    });
  }

  /** Sums up sessions. Each is known at once, so that an aborted search leaves its work to the next one. */
  async #read(
    unread: readonly Session[],
    { sessions: all, describer }: Discovery<Session>,
    signal: AbortSignal,
    withFacts = false,
  ): Promise<void> {
    this.#progress.begin();
    await this.#recall(unread, signal);
    if (withFacts) await this.#recallFacts(unread, signal);
    const isReady = withFacts ? hasFacts : ({ isRead }: Session) => isRead;
    const uncached = unread.filter((one) => !isReady(one));
    await this.#inThreads(uncached, READ_AT_A_TIME, async (portion, lane) => {
      if (withFacts) await this.#takeFacts(portion, lane, signal);
      else await this.#takeSummaries(portion, lane, signal);
      for (const one of portion) if (one.summary) describer.add(one);
      this.#progress.report(() => all.filter(({ isRead }) => isRead).length, all.length);
    });
  }

  async #takeSummaries(portion: readonly Session[], lane: number, signal: AbortSignal): Promise<void> {
    const summaries = await this.#strategy.summarize(portion, lane, signal);
    for (const [i, one] of portion.entries()) one.summary = summaries[i]!;
  }

  async #takeFacts(portion: readonly Session[], lane: number, signal: AbortSignal): Promise<void> {
    const read = await this.#strategy.facts!.read(portion, lane, signal);
    for (const [i, one] of portion.entries()) {
      one.summary = read[i]!.summary;
      one.facts = read[i]!.facts;
    }
  }

  /** Takes the facts that are cached of sessions whose summaries are. */
  async #recallFacts(sessions: readonly Session[], signal: AbortSignal): Promise<void> {
    const unknown = sessions.filter((one) => one.isRead && !hasFacts(one));
    let isEmpty = false;
    await mapInFlight(portionsOf(unknown, FACTS_AT_A_TIME), RECALLING_THREADS, async (portion, i) => {
      if (isEmpty) return;
      const facts = await this.#strategy.facts!.recall(portion, i % RECALLING_THREADS, signal);
      isEmpty ||= facts === undefined;
      for (const [j, one] of portion.entries()) one.facts = facts?.[j] ?? undefined;
    });
  }

  /** Takes the summaries that are cached: no file is opened for them. What was read before in this process, the cache does not have. */
  async #recall(sessions: readonly Session[], signal: AbortSignal): Promise<void> {
    const unasked = sessions.filter((one) => !one.isRecalled && !one.isRead && one.previous === undefined);
    let isEmpty = this.#strategy.recall === undefined;
    await mapInFlight(portionsOf(unasked, RECALLED_AT_A_TIME), RECALLING_THREADS, async (portion, i) => {
      const summaries = isEmpty
        ? undefined
        : await this.#strategy.recall?.(portion, i % RECALLING_THREADS, signal);
      isEmpty ||= summaries === undefined;
      for (const [j, one] of portion.entries()) {
        one.isRecalled = true;
        one.summary = summaries?.[j] ?? undefined;
      }
    });
  }

  /**
   * Each session is always given to the same thread, which has cached what it read of it; all threads begin at once. A thread has one
   * task at a time: two would take turns, each with its garbage, and be over later.
   */
  async #inThreads(
    sessions: readonly Session[],
    most: { readonly sessions: number; readonly bytes?: number },
    work: (portion: readonly Session[], lane: number) => Promise<void>,
  ): Promise<void> {
    const { threads } = this.#options.pool;
    const lanes = Array.from({ length: threads }, (): Session[] => []);
    for (const one of sessions) lanes[laneOf(this.#strategy.pathOf(one)) % threads]!.push(one);
    await Promise.all(
      lanes.map(async (ofLane, lane) => {
        for (const portion of portionsOf(ofLane, most)) await work(portion, lane);
      }),
    );
  }

  /** The sessions that nobody expected to fail. */
  #faultsOf(sessions: readonly Session[]): RecordWarning[] {
    const failed = sessions.filter(({ fault }) => fault !== undefined);
    return failed.map((one) => ({
      file: this.#strategy.nameOf(one),
      line: 1,
      reason: sessionFault(one.fault!),
    }));
  }
}

/** Whether it is known what a session did, or that nothing tells. */
function hasFacts({ isRead, isGone, facts }: CataloguedSession): boolean {
  return isRead && (isGone || facts !== undefined);
}

function withFactsOf({ facts }: CataloguedSession, item: InspectorSessionItem): ListedSession {
  return facts ? { ...item, facts } : item;
}

/** Sessions in portions that take about the same time. */
function portionsOf<Session extends CataloguedSession>(
  all: readonly Session[],
  { sessions: most, bytes: mostBytes = Number.POSITIVE_INFINITY }: { sessions: number; bytes?: number },
): Session[][] {
  const portions: Session[][] = [];
  let bytes = mostBytes;
  for (const one of all) {
    if (bytes >= mostBytes || portions.at(-1)!.length === most) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)!.push(one);
    bytes += one.bytes;
  }
  return portions;
}

function keyOf({ tenantId, sessionId }: { readonly tenantId: string; readonly sessionId: string }): string {
  return `${tenantId}\0${sessionId}`;
}
