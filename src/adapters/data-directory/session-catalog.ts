import path from "node:path";
import { LRUCache } from "lru-cache";
import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../application/ports/list-progress.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions, RecordWarning } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { DescribedItem } from "../../domain/session/session-log.js";
import { nameInside } from "../files/bytes/contained-files.js";
import { sessionFault } from "../files/bytes/line.js";
import type { CachePlace } from "../files/cache/disk-cache.js";
import { newestFirst, newestSessions, type SessionReader } from "../files/catalog/newest-sessions.js";
import { ProgressReports } from "../files/catalog/progress-reports.js";
import { RecentReading } from "../files/catalog/recent-reading.js";
import { SharedReadings } from "../files/catalog/shared-readings.js";
import { mapInFlight, portionsOf } from "../files/threads/in-flight.js";
import { laneOf } from "../files/threads/lanes.js";
import { FIND_SESSIONS, type FoundTenants } from "./find-sessions.js";
import { IDENTITY, KnownSession, type SessionFolder } from "./known-session.js";
import { LOOK_UP_FILES, LOOK_UP_SESSION } from "./look-up-files.js";
import { LISTED_NAMES, READ_SESSIONS } from "./read-sessions.js";
import { sessionFiles, sessionsFolder } from "./session-files.js";

export interface SessionCatalogOptions {
  readonly root: string;
  readonly pool: ReadingPool;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  readonly cache?: CachePlace | undefined;
}

/** How many sessions one task looks up, and how many one reads: others have their turn between two tasks. */
const LOOKED_UP_AT_ONCE = 512;
const READ_AT_ONCE = 32;

const PLACES_PER_PAUSE = 1_024;

/** How many sessions are kept that were found without the others. */
const SINGLE_SESSIONS = 32;

/** What there is at one moment. */
interface Discovery {
  /** The latest estimate first. */
  readonly sessions: readonly KnownSession[];
  readonly warnings: readonly RecordWarning[];
}

/**
 * The sessions of a data directory, each from its own files. A description is cached while the session's files are the same, so
 * that a list of known sessions costs one lookup a file. All work on files is done by reading tasks.
 */
export class SessionCatalog {
  readonly #root: string;
  readonly #pool: ReadingPool;
  readonly #now: () => number;
  readonly #cache: CachePlace | undefined;
  readonly #discovery = new RecentReading((signal) => this.#discover(signal));
  readonly #searches = new SharedReadings<SessionPage>();
  /** Those that were found without the others, by their folders. */
  readonly #single = new LRUCache<string, KnownSession>({ max: SINGLE_SESSIONS });
  readonly #progress: ProgressReports;

  constructor({ root, pool, now, onProgress, cache }: SessionCatalogOptions) {
    this.#cache = cache;
    this.#root = root;
    this.#pool = pool;
    this.#now = now;
    this.#progress = new ProgressReports(onProgress);
  }

  /** The sessions that match. Callers share the items: they copy them before they hand them out. */
  find(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    return this.#searches.read(JSON.stringify(search), (signal) => this.#find(search, signal), options);
  }

  /** Reads what a page of the newest sessions needs: whoever asks first gets them as they are now. */
  readAhead(limit: number): void {
    this.#discovery.ahead(async (discovery, signal) => {
      await newestSessions(this.#readerOf(discovery, signal), { limit }, signal);
    });
  }

  async #find(search: SessionSearch, signal: AbortSignal): Promise<SessionPage> {
    const { tenantId, sessionId } = search;
    if (tenantId !== undefined && sessionId !== undefined) {
      const sessions = await this.#lookUpOne(tenantId, sessionId, signal);
      const found = { sessions, warnings: [] };
      const { items } = await newestSessions(this.#readerOf(found, signal), search, signal);
      return { items };
    }
    const isFirst = search.after === undefined;
    const discovery = await (isFirst
      ? this.#discovery.aheadOrNow({ signal })
      : this.#discovery.recent({ signal }));
    const page = await newestSessions(this.#readerOf(discovery, signal), search, signal);
    return { ...page, warnings: [...discovery.warnings, ...faultsOf(discovery.sessions, this.#root)] };
  }

  #readerOf({ sessions }: Discovery, signal: AbortSignal): SessionReader<KnownSession, DescribedItem> {
    return {
      sessions,
      refine: async () => undefined,
      read: (unread) => this.#read(unread, sessions, signal),
      describe: (session) => session.describe(this.#now()),
    };
  }

  async #discover(signal: AbortSignal): Promise<Discovery> {
    const { tenants, warnings } = await this.#pool.run(FIND_SESSIONS, { root: this.#root }, { signal });
    const places = await runInSlices(placesOf(this.#root, tenants), signal);
    const known = new Map(this.#discovery.last?.sessions.map((one) => [one.place.folder, one]));
    const portions = portionsOf(places, LOOKED_UP_AT_ONCE);
    const seen = await mapInFlight(portions, this.#pool.threads, (portion) =>
      this.#lookUp(portion, known, signal),
    );
    return { sessions: await runInSlices(newestFirst(seen.flat()), signal), warnings };
  }

  /** One session alone; none where it is not there. */
  async #lookUpOne(tenantId: string, sessionId: string, signal: AbortSignal): Promise<KnownSession[]> {
    const { folder } = sessionFiles(this.#root, tenantId, sessionId);
    const request = { root: this.#root, folder, names: [] };
    const isThere = (await this.#pool.run(LOOK_UP_SESSION, request, { signal })) !== undefined;
    const places = isThere ? [{ tenantId, sessionId, folder }] : [];
    const sessions = await this.#lookUp(places, this.#single, signal);
    for (const one of sessions) this.#single.set(folder, one);
    return sessions;
  }

  /** @param known what is known of sessions, by their folders: it stays where their files are the same */
  async #lookUp(
    places: readonly SessionFolder[],
    known: Pick<ReadonlyMap<string, KnownSession>, "get">,
    signal: AbortSignal,
  ): Promise<KnownSession[]> {
    const request = { root: this.#root, folders: places.map(({ folder }) => folder), names: LISTED_NAMES };
    const identities = await this.#pool.run(LOOK_UP_FILES, request, { signal });
    return places.map((place, i) => {
      const identity = identities.subarray(i * IDENTITY, (i + 1) * IDENTITY);
      const before = known.get(place.folder);
      if (before?.isUpToDate(identity)) return before;
      return new KnownSession(place, Array.from(identity), before);
    });
  }

  /** Reads sessions. Each is known at once, so that an aborted search leaves its work to the next one. */
  async #read(
    unread: readonly KnownSession[],
    all: readonly KnownSession[],
    signal: AbortSignal,
  ): Promise<void> {
    this.#progress.begin();
    const { threads } = this.#pool;
    await mapInFlight(portionsByThread(unread, threads), threads + 1, async ({ lane, portion }) => {
      const identities = Float64Array.from(portion.flatMap(({ identity }) => identity));
      const sessions = portion.map(({ place: { folder }, logEnd, counted }) => ({ folder, logEnd, counted }));
      const request = { root: this.#root, now: this.#now(), sessions, identities, cache: this.#cache };
      const read = await this.#pool.run(READ_SESSIONS, request, { signal, lane });
      for (const [i, session] of portion.entries()) session.learn(read[i], this.#now());
      this.#progress.report(() => all.filter(({ isRead }) => isRead).length, all.length);
    });
  }
}

/** The sessions that nobody expected to fail. */
function faultsOf(sessions: readonly KnownSession[], root: string): RecordWarning[] {
  return sessions.flatMap(({ fault, place: { folder } }) =>
    fault === undefined ? [] : [{ file: nameInside(root, folder), line: 1, reason: sessionFault(fault) }],
  );
}

/** Each thread reads the sessions whose values it caches; all begin at once. */
function portionsByThread(sessions: readonly KnownSession[], threads: number) {
  const ofThreads: KnownSession[][] = Array.from({ length: threads }, () => []);
  for (const session of sessions) ofThreads[laneOf(session.place.folder) % threads]!.push(session);
  return ofThreads
    .flatMap((own, lane) => portionsOf(own, READ_AT_ONCE).map((portion, turn) => ({ lane, portion, turn })))
    .sort((a, b) => a.turn - b.turn);
}

function* placesOf(root: string, tenants: FoundTenants["tenants"]): Generator<void, SessionFolder[]> {
  const places: SessionFolder[] = [];
  for (const { tenantId, sessionIds } of tenants) {
    const parent = sessionsFolder(root, tenantId);
    for (const sessionId of sessionIds) {
      places.push({ tenantId, sessionId, folder: parent + path.sep + sessionId });
      if (places.length % PLACES_PER_PAUSE === 0) yield;
    }
  }
  return places;
}
