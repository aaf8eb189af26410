import path from "node:path";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/slices.js";
import { longFingerprint } from "../../domain/derived-id.js";
import type { DescribedItem } from "../../domain/session-log.js";
import type { ContainedFiles } from "../jsonl/contained-files.js";
import { fileThread } from "../jsonl/file-thread.js";
import type { FollowedFiles } from "../jsonl/followed-files.js";
import { SharedReadings } from "../jsonl/shared-readings.js";
import { describe, isUndated, type KnownSession } from "./described-session.js";
import { readSessions } from "./read-sessions.js";
import { findSessions, type SessionPlace } from "./session-places.js";

/** Told now and then while a list is being read that takes long. */
export interface ListProgress {
  readonly sessions: number;
  readonly elapsedMs: number;
}

export interface SessionCatalogOptions {
  readonly files: ContainedFiles;
  readonly followed: FollowedFiles;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** The sessions as they were at one moment. */
export interface SessionListing {
  /** Shared by whoever asks: to be copied before it is given away. */
  readonly items: readonly DescribedItem[];
  /** Changes whenever an element does. */
  readonly revision: string;
}

/** The files of a session that the list depends on. */
const LOOKED_AT = [
  "session.jsonl",
  path.join("trace", "events.jsonl"),
  path.join("orchestration", "events.jsonl"),
];

/** How many numbers tell whether a session changed. */
const IDENTITY = LOOKED_AT.length * 4;

/** How many sessions the thread looks at in one go. */
const LOOKED_AT_ONCE = 512;

/** How many sessions are described between two looks at the clock. */
const DESCRIBED_AT_ONCE = 64;

const PROGRESS_EVERY_MS = 1_000;

/**
 * A listing of so many sessions stands for a while, so that whoever pages through a hundred thousand of them does not have
 * every file looked at for every page: `STANDS` times as long as it took to make, and no longer than `STANDS_MS`.
 */
const MANY = 5_000;
const STANDS = 4;
const STANDS_MS = 5_000;

interface SeenSession {
  readonly place: SessionPlace;
  readonly identity: Float64Array;
}

/**
 * The sessions of a data directory, each from its own files. What their files said is kept while they are the same, so that
 * a list of known sessions costs one look at each file, by a thread that does nothing else.
 */
export class SessionCatalog {
  readonly #files: ContainedFiles;
  readonly #followed: FollowedFiles;
  readonly #now: () => number;
  readonly #onProgress: ((progress: ListProgress) => void) | undefined;
  readonly #readings = new SharedReadings<SessionListing>();
  readonly #ofRequest = new WeakMap<AbortSignal, Promise<SessionListing>>();
  #known = new Map<string, KnownSession>();
  #standing: { readonly listing: SessionListing; readonly until: number } | undefined;

  constructor(options: SessionCatalogOptions) {
    this.#files = options.files;
    this.#followed = options.followed;
    this.#now = options.now;
    this.#onProgress = options.onProgress;
  }

  /** Calls that belong to one request, which is to say to one signal, get the same listing. */
  list({ signal }: ReadOptions = {}): Promise<SessionListing> {
    const known = signal && this.#ofRequest.get(signal);
    if (known !== undefined) return known;
    const listing = this.#readings.read("sessions", (stop) => this.#list(stop), { signal });
    if (signal !== undefined) this.#ofRequest.set(signal, listing);
    return listing;
  }

  async #list(signal: AbortSignal): Promise<SessionListing> {
    const begun = performance.now();
    if (this.#standing !== undefined && begun < this.#standing.until) return this.#standing.listing;
    this.#standing = undefined;
    const listing = await this.#make(signal);
    const now = performance.now();
    const until = now + Math.min((now - begun) * STANDS, STANDS_MS);
    if (listing.items.length >= MANY) this.#standing = { listing, until };
    return listing;
  }

  async #make(signal: AbortSignal): Promise<SessionListing> {
    const items: DescribedItem[] = [];
    const known = new Map<string, KnownSession>();
    const tell = this.#progress();
    let revision = "";
    const places = await findSessions(this.#files);
    let next = lookAt(places, 0);
    for (let from = 0; from < places.length; from += LOOKED_AT_ONCE) {
      const identities = await next;
      signal.throwIfAborted();
      next = lookAt(places, from + LOOKED_AT_ONCE);
      next.catch(() => undefined); // it is awaited in the next round, if there is one
      const part = places.slice(from, from + LOOKED_AT_ONCE).map((place, i) => ({
        place,
        identity: identities.subarray(i * IDENTITY, (i + 1) * IDENTITY),
      }));
      await this.#readChanged(part, (n) => {
        signal.throwIfAborted();
        tell(items.length + n);
      });
      const folderTimes = await this.#folderTimes(part);
      revision = await runInSlices(
        this.#describeSteps(part, folderTimes, { items, known, revision }),
        signal,
      );
      tell(items.length);
    }
    this.#known = known;
    return { items, revision };
  }

  /** Brings up to date what is known of sessions that changed since it was read. */
  async #readChanged(part: readonly SeenSession[], onRead: (sessions: number) => void): Promise<void> {
    const changed = part.filter(({ place, identity }) => !isSame(this.#known.get(place.folder), identity));
    let read = 0;
    const places = changed.map(({ place }) => place);
    for await (const some of readSessions(this.#files, this.#followed, places)) {
      for (const said of some) {
        const { place, identity } = changed[read++]!;
        this.#known.set(place.folder, { identity: Array.from(identity), said });
      }
      onRead(read);
    }
  }

  /**
   * The modification times of folders, for the sessions whose files know no instant; `null` for one that is gone, or that
   * nobody may look at.
   */
  async #folderTimes(part: readonly SeenSession[]): Promise<Map<string, number | null>> {
    const undated = part
      .map(({ place }) => place.folder)
      .filter((folder) => isUndated(this.#known.get(folder)?.said));
    if (undated.length === 0) return new Map();
    const found = await fileThread.stat(undated, [""]);
    return new Map(
      undated.map((folder, i) => [folder, found[i * 4]! >= 0 ? Math.floor(found[i * 4 + 3]!) : null]),
    );
  }

  /** Describes sessions one by one, and gives the revision of the list with them. */
  *#describeSteps(
    part: readonly SeenSession[],
    folderTimes: ReadonlyMap<string, number | null>,
    {
      items,
      known,
      revision: before,
    }: { items: DescribedItem[]; known: Map<string, KnownSession>; revision: string },
  ): Generator<void, string> {
    let revision = before;
    for (const { place } of part) {
      const session = this.#known.get(place.folder)!;
      const folderTime = folderTimes.get(place.folder);
      if (folderTime === null) continue;
      const described = describe(place, session, folderTime, this.#now());
      known.set(place.folder, described);
      items.push(described.item);
      revision = longFingerprint(revision + described.fingerprint);
      if (items.length % DESCRIBED_AT_ONCE === 0) yield;
    }
    return revision;
  }

  #progress(): (sessions: number) => void {
    const begun = performance.now();
    let told = begun;
    return (sessions) => {
      const now = performance.now();
      if (now - told < PROGRESS_EVERY_MS) return;
      told = now;
      this.#onProgress?.({ sessions, elapsedMs: now - begun });
    };
  }
}

async function lookAt(places: readonly SessionPlace[], from: number): Promise<Float64Array> {
  const part = places.slice(from, from + LOOKED_AT_ONCE);
  if (part.length === 0) return new Float64Array(0);
  return fileThread.stat(
    part.map(({ folder }) => folder),
    LOOKED_AT,
  );
}

/** `NaN` stands for a file that is not there: still absent is the same. */
function isSame(known: KnownSession | undefined, identity: Float64Array): boolean {
  if (known === undefined) return false;
  for (let i = 0; i < IDENTITY; i++) if (!Object.is(known.identity[i], identity[i])) return false;
  return true;
}
