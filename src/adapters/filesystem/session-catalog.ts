import { readdir } from "node:fs/promises";
import path from "node:path";
import { breathe } from "../../application/breathe.js";
import { SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import type { EventLogEnd } from "../../domain/session-activity.js";
import { describeSession, EMPTY_LOG, type SessionLog } from "../../domain/session-log.js";
import { absentAsUndefined, type ContainedFiles } from "../json-lines/contained-files.js";
import { type FileEnds, fileThread } from "../json-lines/file-thread.js";
import { BEGINNING, type Digest, type FollowedFiles, SHORT_END } from "../json-lines/followed-files.js";
import { orchestrationEnd, traceEnd } from "./event-log-end.js";
import { type SessionFiles, sessionFiles, sessionsFolder, tenantsFolder } from "./session-files.js";
import { sessionLog } from "./session-log.js";

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

/** A folder of a session, and its files that the list depends on. */
const LOOKED_AT = [
  "",
  "session.jsonl",
  path.join("trace", "events.jsonl"),
  path.join("orchestration", "events.jsonl"),
];

/** How many numbers tell whether a session changed. */
const IDENTITY = LOOKED_AT.length * 4;

/** How many sessions the thread is asked for at a time: to look at, and to read. */
const LOOKED_AT_ONCE = 512;
const READ_AT_ONCE = 64;

/** How long sessions are digested between two turns of the event loop, in milliseconds. */
const SLICE_MS = 4;

const PROGRESS_EVERY_MS = 1_000;

/** Everything that a session's element of the list says, but for the clock. */
interface SaidOfSession {
  readonly log: SessionLog;
  readonly ends: readonly EventLogEnd[];
}

interface KnownSession extends SaidOfSession {
  readonly identity: Float64Array;
}

interface FetchedSession {
  readonly files: SessionFiles;
  readonly ends: readonly (FileEnds | null)[];
}

interface SessionPlace {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly folder: string;
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
  #known = new Map<string, KnownSession>();

  constructor(options: SessionCatalogOptions) {
    this.#files = options.files;
    this.#followed = options.followed;
    this.#now = options.now;
    this.#onProgress = options.onProgress;
  }

  async list({ signal }: ReadOptions = {}): Promise<InspectorSessionItem[]> {
    const items: InspectorSessionItem[] = [];
    const known = new Map<string, KnownSession>();
    const tell = this.#progress();
    const root = await this.#files.realRoot();
    if (root === undefined) return items;
    const places = await this.#places();
    for (let from = 0; from < places.length; from += LOOKED_AT_ONCE) {
      signal?.throwIfAborted();
      const part = places.slice(from, from + LOOKED_AT_ONCE);
      const identities = await fileThread.stat(
        part.map((place) => place.folder),
        LOOKED_AT,
      );
      const identityOf = (i: number) => identities.subarray(i * IDENTITY, (i + 1) * IDENTITY);
      const changed = part.flatMap(({ folder }, i) =>
        isSame(this.#known.get(folder), identityOf(i)) ? [] : [i],
      );
      await this.#readAll(
        root,
        changed.map((i) => part[i]!),
        (n, said) => {
          const i = changed[n]!;
          this.#known.set(part[i]!.folder, { identity: identityOf(i).slice(), ...said });
          tell(items.length + n);
          signal?.throwIfAborted();
        },
      );
      const now = this.#now();
      part.forEach((place, i) => {
        const session = this.#known.get(place.folder);
        const identity = identityOf(i);
        if (session === undefined || !(identity[0]! >= 0)) return; // gone, or not to be looked at
        known.set(place.folder, session);
        items.push(describeSession(place, session.log, session.ends, Math.floor(identity[3]!), now));
      });
      tell(items.length);
    }
    this.#known = known;
    return items;
  }

  /** Where the sessions of every tenant lie, but for links that lead outside. */
  async #places(): Promise<SessionPlace[]> {
    const places: SessionPlace[] = [];
    for (const tenantId of await this.#foldersIn(tenantsFolder(this.#files.root))) {
      const parent = sessionsFolder(this.#files.root, tenantId);
      for (const sessionId of await this.#foldersIn(parent)) {
        places.push({ tenantId, sessionId, folder: parent + path.sep + sessionId });
      }
    }
    return places;
  }

  /** The names of the folders in a folder; none where it is absent or may not be read. */
  async #foldersIn(folder: string): Promise<string[]> {
    const nameOf = () => this.#files.nameOf(folder);
    if ((await unreadableAsUndefined(this.#files.find(folder))) === undefined) return [];
    const entries =
      (await unreadableAsUndefined(absentAsUndefined(readdir(folder, { withFileTypes: true }), nameOf))) ??
      [];
    const names: string[] = [];
    for (const entry of entries) {
      if (
        entry.isDirectory() ||
        (entry.isSymbolicLink() && (await this.#isFolder(path.join(folder, entry.name))))
      ) {
        names.push(entry.name);
      }
    }
    return names;
  }

  async #isFolder(link: string): Promise<boolean> {
    return (await unreadableAsUndefined(this.#files.find(link)))?.isDirectory() ?? false;
  }

  /** Reads what the files of sessions say. While some are digested, the thread reads the next ones. */
  async #readAll(
    root: string,
    places: readonly SessionPlace[],
    onSession: (index: number, said: SaidOfSession) => void,
  ): Promise<void> {
    const fetch = (from: number) => this.#fetchEnds(root, places.slice(from, from + READ_AT_ONCE));
    let next = fetch(0);
    let begun = performance.now();
    for (let from = 0; from < places.length; from += READ_AT_ONCE) {
      const fetched = await next;
      next = fetch(from + READ_AT_ONCE);
      next.catch(() => undefined); // it is awaited in the next round, if there is one
      for (const [i, session] of fetched.entries()) {
        onSession(from + i, await this.#say(session));
        if (performance.now() - begun < SLICE_MS) continue;
        await breathe();
        begun = performance.now();
      }
    }
  }

  async #fetchEnds(root: string, places: readonly SessionPlace[]): Promise<FetchedSession[]> {
    if (places.length === 0) return [];
    const sessions = places.map(({ tenantId, sessionId }) =>
      sessionFiles(this.#files.root, tenantId, sessionId),
    );
    const paths = sessions.flatMap(({ session, trace, orchestration }) => [session, trace, orchestration]);
    const ends = await fileThread.ends(root, paths, BEGINNING, SHORT_END);
    return sessions.map((files, i) => ({ files, ends: ends.slice(i * 3, i * 3 + 3) }));
  }

  async #say({ files, ends: [log, trace, orchestration] }: FetchedSession): Promise<SaidOfSession> {
    const said = await this.#digest(files.session, "log", sessionLog, log);
    const traced = await this.#digest(files.trace, "end", traceEnd, trace);
    const orchestrated = await this.#digest(files.orchestration, "end", orchestrationEnd, orchestration);
    return { log: said ?? EMPTY_LOG, ends: [traced, orchestrated].filter((end) => end !== undefined) };
  }

  async #digest<State, View>(
    file: string,
    name: string,
    digest: Digest<State, View>,
    ends: FileEnds | null | undefined,
  ): Promise<View | undefined> {
    return (await unreadableAsUndefined(this.#followed.read(file, name, digest, {}, ends)))?.view;
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

/** `NaN` stands for a file that is not there: still absent is the same. */
function isSame(known: KnownSession | undefined, identity: Float64Array): boolean {
  if (known === undefined) return false;
  for (let i = 0; i < IDENTITY; i++) if (!Object.is(known.identity[i], identity[i])) return false;
  return true;
}

/** In the list, a file that may not be read takes only what it would have said. Opening its session tells of it. */
async function unreadableAsUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SourceUnavailableError || error instanceof SourceChangedError) return undefined;
    throw error;
  }
}
