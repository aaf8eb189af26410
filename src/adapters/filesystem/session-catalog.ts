import path from "node:path";
import type { ListProgress } from "../../application/ports/list-progress.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/slices.js";
import type { DescribedItem } from "../../domain/session-log.js";
import type { CachePlace } from "../jsonl/disk-cache.js";
import { identityAt } from "../jsonl/file-identities.js";
import { mapInFlight, portionsOf } from "../jsonl/in-flight.js";
import { laneOf } from "../jsonl/lanes.js";
import { SharedReadings } from "../jsonl/shared-readings.js";
import { FIND_SESSIONS, type TenantSessions } from "./find-sessions.js";
import { describeRead, isUpToDate, type KnownSession, type SessionFolder } from "./known-session.js";
import { LOOK_UP_FILES } from "./look-up-files.js";
import { IDENTITY, LISTED_NAMES, READ_SESSIONS, type ReadSession } from "./read-sessions.js";
import { sessionsFolder } from "./session-files.js";

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

/** How many sessions are described between two pauses. */
const DESCRIBED_AT_ONCE = 64;

const PLACES_PER_PAUSE = 1_024;

const PROGRESS_EVERY_MS = 1_000;

/** A session during one run of the list. */
interface SeenSession {
  readonly place: SessionFolder;
  readonly identity: Float64Array;
  /** What is known of it, where it has not changed since. */
  readonly known: KnownSession | undefined;
  /** What is still to be described. */
  read: ReadSession | undefined;
}

/** One run of the list. */
interface Listing {
  readonly signal: AbortSignal;
  readonly items: DescribedItem[];
  readonly known: Map<string, KnownSession>;
  /** Called with how many more sessions were read or found unchanged. */
  readonly onRead: (sessions: number) => void;
}

/**
 * The sessions of a data directory, each from its own files. A description is cached while the session's files are the same, so
 * that a list of known sessions costs one lookup a file. All work on files is done by reading tasks.
 */
export class SessionCatalog {
  readonly #root: string;
  readonly #pool: ReadingPool;
  readonly #now: () => number;
  readonly #onProgress: ((progress: ListProgress) => void) | undefined;
  readonly #cache: CachePlace | undefined;
  readonly #readings = new SharedReadings<readonly DescribedItem[]>();
  #known = new Map<string, KnownSession>();

  constructor({ root, pool, now, onProgress, cache }: SessionCatalogOptions) {
    this.#cache = cache;
    this.#root = root;
    this.#pool = pool;
    this.#now = now;
    this.#onProgress = onProgress;
  }

  /** The sessions as they are now. Callers share the items: they copy them before they hand them out. */
  list(options?: ReadOptions): Promise<readonly DescribedItem[]> {
    return this.#readings.read("sessions", (signal) => this.#list(signal), options);
  }

  async #list(signal: AbortSignal): Promise<readonly DescribedItem[]> {
    const listing: Listing = { signal, items: [], known: new Map(), onRead: this.#countProgress() };
    const tenants = await this.#pool.run(FIND_SESSIONS, { root: this.#root }, { signal });
    const places = await runInSlices(placesOf(this.#root, tenants), signal);
    await mapInFlight(portionsOf(places, LOOKED_UP_AT_ONCE), this.#pool.threads, async (portion) => {
      const seen = await this.#lookUp(portion, listing);
      await this.#readChanged(seen, listing);
      await runInSlices(this.#describeSteps(seen, listing), signal);
    });
    this.#known = listing.known;
    return listing.items;
  }

  async #lookUp(places: readonly SessionFolder[], { signal }: Listing): Promise<SeenSession[]> {
    const request = { root: this.#root, folders: places.map(({ folder }) => folder), names: LISTED_NAMES };
    const identities = await this.#pool.run(LOOK_UP_FILES, request, { signal });
    return places.map((place, i) => {
      const identity = identities.subarray(i * IDENTITY, (i + 1) * IDENTITY);
      const before = this.#known.get(place.folder);
      const known = before !== undefined && isUpToDate(before, identity) ? before : undefined;
      return { place, identity, known, read: known?.read };
    });
  }

  /** Reads the sessions that have changed since they were read. */
  async #readChanged(seen: readonly SeenSession[], { signal, onRead }: Listing): Promise<void> {
    const changed = seen.filter(({ known }) => known === undefined);
    onRead(seen.length - changed.length);
    const { threads } = this.#pool;
    await mapInFlight(portionsByThread(changed, threads), threads + 1, async ({ lane, portion }) => {
      const identities = new Float64Array(portion.length * IDENTITY);
      for (const [i, { identity }] of portion.entries()) identities.set(identity, i * IDENTITY);
      const sessions = portion.map(({ place: { folder } }) => {
        return { folder, logEnd: this.#known.get(folder)?.logEnd };
      });
      const request = { root: this.#root, now: this.#now(), sessions, identities, cache: this.#cache };
      const read = await this.#pool.run(READ_SESSIONS, request, { signal, lane });
      for (const [i, session] of portion.entries()) session.read = read[i];
      onRead(portion.length);
    });
  }

  /** Each description is cached at once, so that an aborted list leaves its work to the next one. */
  *#describeSteps(seen: readonly SeenSession[], { items, known }: Listing): Generator<void, void> {
    for (const [i, session] of seen.entries()) {
      const described = this.#describe(session);
      if (described !== undefined) {
        items.push(described.item);
        known.set(session.place.folder, described);
        this.#known.set(session.place.folder, described);
      }
      if (i % DESCRIBED_AT_ONCE === DESCRIBED_AT_ONCE - 1) yield;
    }
  }

  /** @returns `undefined` for a session that is gone, or could not be read */
  #describe({ place, identity, known, read }: SeenSession): KnownSession | undefined {
    if (read === undefined) return known;
    const folder = identityAt(identity, 0);
    if (typeof folder !== "object") return undefined;
    const folderTime = Math.floor(folder.modifiedAt);
    return describeRead(place, read, known?.identity ?? Array.from(identity), folderTime, this.#now());
  }

  #countProgress(): (sessions: number) => void {
    const begun = performance.now();
    let reported = begun;
    let count = 0;
    return (sessions) => {
      count += sessions;
      const now = performance.now();
      if (now - reported < PROGRESS_EVERY_MS) return;
      reported = now;
      this.#onProgress?.({ sessions: count, elapsedMs: now - begun });
    };
  }
}

/** Each thread reads the sessions whose values it caches; all begin at once. */
function portionsByThread(sessions: readonly SeenSession[], threads: number) {
  const ofThreads: SeenSession[][] = Array.from({ length: threads }, () => []);
  for (const session of sessions) ofThreads[laneOf(session.place.folder) % threads]!.push(session);
  return ofThreads
    .flatMap((own, lane) => portionsOf(own, READ_AT_ONCE).map((portion, turn) => ({ lane, portion, turn })))
    .sort((a, b) => a.turn - b.turn);
}

function* placesOf(root: string, tenants: readonly TenantSessions[]): Generator<void, SessionFolder[]> {
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
