import path from "node:path";
import { faultText } from "../../application/errors.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import { runInSlices } from "../../application/threads/slices.js";
import { isPause } from "../../domain/lists/is-pause.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { changesWithTime } from "../../domain/session/session.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { type LoggedFacts, sessionItem } from "../../domain/session/session-log.js";
import { instantOf } from "../../domain/trace/instant.js";
import { nameInside } from "../files/bytes/contained-files.js";
import { NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import type { SourceCache } from "../files/cache/source-cache.js";
import type {
  CatalogSummary,
  CataloguedSession,
  LocatedSession,
} from "../files/catalog/catalogued-session.js";
import type { CatalogStrategy } from "../files/catalog/folder-catalog.js";
import { extentOf, type SearchedSession } from "../files/search/search-order.js";
import { mapInFlight, portionsOf } from "../files/threads/in-flight.js";
import { FIND_SESSIONS, LOOK_UP_FILES, LOOK_UP_SESSION, type TenantSessions } from "./look-up-files.js";
import {
  IDENTITY,
  LISTED,
  LISTED_NAMES,
  mayRun,
  READ_SESSIONS,
  RECALL_SESSIONS,
  type ReadSession,
  UNREADABLE,
} from "./read-sessions.js";
import { filesIn, MESSAGES, sessionFiles, sessionsFolder } from "./session-files.js";

export interface SessionFolder extends SessionKey {
  readonly folder: string;
}

export interface DirectorySummary extends CatalogSummary, Pick<ReadSession, "logEnd" | "counted"> {
  readonly item: ListedSession;
  /** Set only if the item changes with the clock: storing all facts would take much memory. */
  readonly running: LoggedFacts | undefined;
}

export type DirectorySession = CataloguedSession<SessionFolder, DirectorySummary>;

const LOOKED_UP_AT_ONCE = 512;

const IDENTIFIED_NAMES = ["", ...LISTED_NAMES];

/** After the identities of the folder and the log. */
const EVENT_LOGS = 2 * NUMBERS_PER_IDENTITY;

export class SessionStrategy implements CatalogStrategy<DirectorySession> {
  readonly #root: string;
  readonly #pool: ReadingPool;
  readonly #now: () => number;
  readonly #cache: SourceCache;

  constructor(root: string, pool: ReadingPool, now: () => number, cache: SourceCache) {
    this.#root = root;
    this.#pool = pool;
    this.#now = now;
    this.#cache = cache;
  }

  async discover(signal: AbortSignal) {
    const { tenants, warnings } = await this.#pool.run(FIND_SESSIONS, { root: this.#root }, { signal });
    const places = await runInSlices(placesOf(this.#root, tenants), signal);
    return { located: await this.#locate(places, signal), warnings };
  }

  async find(tenantId: string, sessionId: string, signal: AbortSignal) {
    const { folder } = sessionFiles(this.#root, tenantId, sessionId);
    const request = { root: this.#root, folder, names: [] };
    const isThere = (await this.#pool.run(LOOK_UP_SESSION, request, { signal })) !== undefined;
    return isThere ? this.#locate([{ tenantId, sessionId, folder }], signal) : [];
  }

  pathOf({ place: { folder } }: DirectorySession): string {
    return folder;
  }

  nameOf({ place: { folder } }: DirectorySession): string {
    return nameInside(this.#root, folder);
  }

  async recall(sessions: readonly DirectorySession[], lane: number, signal: AbortSignal) {
    const { place: cache } = this.#cache;
    if (cache === undefined) return undefined;
    const wanted = sessions.map(({ place, identity }) => ({ path: place.folder, madeOf: "", identity }));
    const cached = await this.#pool.run(RECALL_SESSIONS, { cache, wanted }, { lane, signal });
    const now = this.#now();
    return cached?.map((facts, i) =>
      facts === null || mayRun(facts, now)
        ? null
        : summaryOf(sessions[i]!, { facts, logEnd: undefined, counted: undefined, isComplete: true }, now),
    );
  }

  async summarize(
    sessions: readonly DirectorySession[],
    lane: number,
    signal: AbortSignal,
  ): Promise<(DirectorySummary | null)[]> {
    const identities = new Float64Array(sessions.length * IDENTITY);
    for (const [i, { identity }] of sessions.entries()) identities.set(identity, i * IDENTITY);
    const toRead = sessions.map(({ place: { folder }, previous }) => ({
      folder,
      logEnd: previous?.logEnd,
      counted: previous?.counted,
    }));
    const { place: cache } = this.#cache;
    const request = { root: this.#root, now: this.#now(), sessions: toRead, identities, cache };
    const read = this.#cache.answerOf(await this.#pool.run(READ_SESSIONS, request, { signal, lane }));
    return sessions.map((one, i) => (one.identity[0]! >= 0 ? summaryOf(one, read[i]!, this.#now()) : null));
  }

  describer() {
    return {
      add: () => undefined,
      describe: (session: DirectorySession, now: number) => {
        const { summary } = session;
        if (summary?.running !== undefined)
          session.summary = summaryOf(session, { ...summary, facts: summary.running }, now);
        return session.summary!.item;
      },
    };
  }

  async searched(sessions: readonly DirectorySession[], signal: AbortSignal | undefined) {
    const messages = await this.#lookUp(sessions, [MESSAGES], signal);
    return searchedIn(sessions, messages);
  }

  async #locate(
    places: readonly SessionFolder[],
    signal: AbortSignal,
  ): Promise<LocatedSession<SessionFolder>[]> {
    const identities = await this.#lookUp(places, IDENTIFIED_NAMES, signal);
    return places.map((place, i) => ({ place, identity: identities[i]!, ownFiles: LISTED }));
  }

  async #lookUp(
    sessions: readonly (SessionFolder | DirectorySession)[],
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Float64Array[]> {
    const length = names.length * NUMBERS_PER_IDENTITY;
    const portions = portionsOf(sessions, LOOKED_UP_AT_ONCE);
    const identities = await mapInFlight(portions, this.#pool.threads, async (portion) => {
      const folders = portion.map((one) => ("place" in one ? one.place : one).folder);
      const numbers = await this.#pool.run(LOOK_UP_FILES, { root: this.#root, folders, names }, { signal });
      return folders.map((_, i) => numbers.subarray(i * length, (i + 1) * length));
    });
    return identities.flat();
  }
}

function* searchedIn(
  sessions: readonly DirectorySession[],
  messages: readonly Float64Array[],
): Generator<SearchedSession, void> {
  for (const [i, { tenantId, sessionId, place, identity }] of sessions.entries()) {
    const files = filesIn(place.folder);
    const extent = extentOf(identity.subarray(EVENT_LOGS), messages[i]!);
    yield { tenantId, sessionId, files: [files.trace, files.messages, files.orchestration], ...extent };
  }
}

export function summaryOf(
  session: Pick<DirectorySession, "place" | "modifiedAt">,
  read: ReadSession,
  now: number,
): DirectorySummary {
  const touched = Math.floor(session.modifiedAt(0));
  let { fault } = read;
  let item: ListedSession;
  try {
    item = sessionItem(session.place, read.facts, touched, now);
  } catch (error) {
    fault = faultText(error);
    item = sessionItem(session.place, UNREADABLE, touched, now);
  }
  const running = changesWithTime(item) ? read.facts : undefined;
  const { isComplete, logEnd, counted } = read;
  return {
    item,
    running,
    newest: instantOf(item.lastActive) ?? 0,
    touched,
    isComplete,
    fault,
    logEnd,
    counted,
  };
}

function* placesOf(root: string, tenants: readonly TenantSessions[]): Generator<void, SessionFolder[]> {
  const places: SessionFolder[] = [];
  for (const { tenantId, sessionIds } of tenants) {
    const parent = sessionsFolder(root, tenantId);
    for (const sessionId of sessionIds) {
      places.push({ tenantId, sessionId, folder: parent + path.sep + sessionId });
      if (isPause(places.length)) yield;
    }
  }
  return places;
}
