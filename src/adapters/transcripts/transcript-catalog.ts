import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { faultText } from "../../application/errors.js";
import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../application/ports/list-progress.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions, RecordWarning } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";
import { NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import { sessionFault } from "../files/bytes/line.js";
import { newestFirst, newestSessions, type SessionReader } from "../files/catalog/newest-sessions.js";
import { ProgressReports } from "../files/catalog/progress-reports.js";
import { RecentReading } from "../files/catalog/recent-reading.js";
import { SharedReadings } from "../files/catalog/shared-readings.js";
import { portionsOf } from "../files/threads/in-flight.js";
import { laneOf } from "../files/threads/lanes.js";
import type { Folder, TranscriptTasks } from "./reading-tasks.js";
import { SeenTranscript } from "./seen-transcript.js";
import { describeTranscript, unknownSummary } from "./session-summary.js";
import type { TenantSessions } from "./transcript-list.js";

export interface TranscriptCatalogOptions {
  readonly folder: Folder;
  readonly tasks: TranscriptTasks;
  readonly pool: ReadingPool;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** How many tenants are searched at a time. */
const TENANTS_AT_A_TIME = 4;

/** How much is read in one task, so that other requests have their turn: bytes of files, and sessions. */
const BYTES_AT_A_TIME = 4 * 1024 * 1024;
const SESSIONS_AT_A_TIME = 32;

/** How many sessions one task looks at the ends of, and how many it asks a cache for. */
const TAILS_AT_A_TIME = 64;
const RECALLED_AT_A_TIME = 256;

/** How many tasks are queued for each thread, so that it does not wait for the next one. */
const TASKS_AHEAD = 2;

const SESSIONS_PER_PAUSE = 256;

/** How many sessions are kept that were found without the others. */
const SINGLE_SESSIONS = 32;

/** Titles that sessions claim for others of their tenant, by key: that of the session whose id is the last one. */
type Claims = Map<string, { readonly title: string; readonly sessionId: string }>;

/** What there is at one moment. */
interface Discovery {
  /** The latest estimate first. */
  readonly sessions: readonly SeenTranscript[];
  readonly claims: Map<string, Claims>;
  readonly warnings: readonly RecordWarning[];
}

/**
 * The sessions of a folder of transcripts, each from its own files. What is known of a session is cached while its files are the same,
 * so that a list of known sessions costs one `stat` of each file, in threads.
 */
export class TranscriptCatalog {
  readonly #options: TranscriptCatalogOptions;
  readonly #discovery = new RecentReading((signal) => this.#discover(signal));
  readonly #searches = new SharedReadings<SessionPage>();
  /** Those that were found without the others. */
  readonly #single = new LRUCache<string, SeenTranscript>({ max: SINGLE_SESSIONS });
  readonly #progress: ProgressReports;

  constructor(options: TranscriptCatalogOptions) {
    this.#options = options;
    this.#progress = new ProgressReports(options.onProgress);
  }

  /** The sessions that match. Callers share the items: they copy them before they hand them out. */
  find(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    return this.#searches.read(JSON.stringify(search), (signal) => this.#find(search, signal), options);
  }

  /**
   * The sessions, the latest estimate of their last activity first.
   *
   * @param isNew whether they have to be as they are now; else they may be as they were a few seconds ago
   */
  async discover(isNew: boolean, options?: ReadOptions): Promise<readonly SeenTranscript[]> {
    const discovery = await (isNew ? this.#discovery.now(options) : this.#discovery.recent(options));
    return discovery.sessions;
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
  }

  async #find(search: SessionSearch, signal: AbortSignal): Promise<SessionPage> {
    const { tenantId, sessionId } = search;
    if (tenantId !== undefined && sessionId !== undefined) {
      const found = await this.#discoverOne(tenantId, sessionId, signal);
      const { items } = await newestSessions(this.#readerOf(found, signal), search, signal);
      return { items };
    }
    const isFirst = search.after === undefined;
    const discovery = await (isFirst
      ? this.#discovery.aheadOrNow({ signal })
      : this.#discovery.recent({ signal }));
    const page = await newestSessions(this.#readerOf(discovery, signal), search, signal);
    return { ...page, warnings: [...discovery.warnings, ...faultsOf(discovery.sessions)] };
  }

  #readerOf(discovery: Discovery, signal: AbortSignal): SessionReader<SeenTranscript, ListedSession> {
    const { sessions, claims } = discovery;
    const now = this.#options.now();
    return {
      sessions,
      refine: (coarse) => this.#refine(coarse, signal),
      read: (unread) => this.#read(unread, discovery, signal),
      describe: (one) => describe(one, (key) => claims.get(one.tenantId)?.get(key)?.title, now),
    };
  }

  async #discover(signal: AbortSignal): Promise<Discovery> {
    const { folder, tasks, pool } = this.#options;
    const tenants = await pool.run(tasks.tenants, folder, { signal });
    const found = await pLimit(TENANTS_AT_A_TIME).map(tenants, (tenantId) =>
      pool.run(tasks.discover, { ...folder, tenantId }, { signal, lane: laneOf(tenantId) }),
    );
    const known = new Map(this.#discovery.last?.sessions.map((one) => [keyOf(one), one]));
    const seen = await runInSlices(seenSteps(found, known), signal);
    await this.#recall(seen, signal);
    const sessions = await runInSlices(newestFirst(seen), signal);
    const claims = new Map<string, Claims>();
    for (const one of sessions) addClaims(claims, one);
    return { sessions, claims, warnings: found.flatMap(({ warning }) => warning ?? []) };
  }

  /** One session alone. A title that another session claims for it is known once that one was read for a list. */
  async #discoverOne(tenantId: string, sessionId: string, signal: AbortSignal): Promise<Discovery> {
    const { folder, tasks, pool } = this.#options;
    const request = { ...folder, tenantId, sessionId };
    const found = await pool.run(tasks.find, request, { signal, lane: laneOf(tenantId) });
    const key = keyOf({ tenantId, sessionId });
    const before = this.#single.get(key);
    const known = new Map(before === undefined ? [] : [[key, before]]);
    const sessions = await runInSlices(seenSteps([found], known), signal);
    for (const one of sessions) this.#single.set(key, one);
    await this.#recall(sessions, signal);
    return { sessions, claims: this.#discovery.last?.claims ?? new Map(), warnings: [] };
  }

  async #refine(coarse: readonly SeenTranscript[], signal: AbortSignal): Promise<void> {
    const { folder, tasks, pool } = this.#options;
    await this.#inThreads(
      coarse,
      (ofLane) => portionsOf(ofLane, TAILS_AT_A_TIME),
      async (portion, lane) => {
        const sessions = portion.map(({ files }) => files);
        const newest = await pool.run(tasks.newestInTails, { ...folder, sessions }, { signal, lane });
        for (const [i, one] of portion.entries()) one.refine(newest[i]!);
      },
    );
  }

  /** Sums up sessions: some at a time in each thread. Their files may have grown since they were looked up: then they are read again. */
  async #read(unread: readonly SeenTranscript[], discovery: Discovery, signal: AbortSignal): Promise<void> {
    const { folder, tasks, pool } = this.#options;
    const { sessions: all } = discovery;
    this.#progress.begin();
    await this.#inThreads(unread, portionsBySize, async (portion, lane) => {
      const sessions = portion.map(({ session }) => session);
      const summaries = await pool.run(tasks.summarize, { ...folder, sessions }, { signal, lane });
      for (const [i, one] of portion.entries()) {
        one.summary = summaries[i]!;
        addClaims(discovery.claims, one);
      }
      this.#progress.report(() => all.filter(({ isRead }) => isRead).length, all.length);
    });
  }

  /** Takes the summaries that are cached: no file is opened for them. */
  async #recall(seen: readonly SeenTranscript[], signal: AbortSignal): Promise<void> {
    const { folder, tasks, pool } = this.#options;
    const { cache } = folder;
    if (cache === undefined) return;
    const unasked = seen.filter(({ isRecalled, isRead }) => !isRecalled && !isRead);
    let isEmpty = false;
    await this.#inThreads(
      unasked,
      (ofLane) => portionsOf(ofLane, RECALLED_AT_A_TIME),
      async (portion, lane) => {
        if (isEmpty) return;
        const sessions = portion.map(({ session }) => session);
        const identities = portion.map(({ identity }) => identity);
        const request = { ...folder, cache, sessions, identities };
        const summaries = await pool.run(tasks.recall, request, { signal, lane });
        isEmpty = summaries === undefined;
        for (const [i, one] of portion.entries()) {
          one.isRecalled = true;
          one.summary = summaries?.[i] ?? undefined;
        }
      },
    );
  }

  /** Each session is always given to the same thread, which has cached what it read of it. */
  async #inThreads(
    sessions: readonly SeenTranscript[],
    split: (ofLane: readonly SeenTranscript[]) => readonly (readonly SeenTranscript[])[],
    work: (portion: readonly SeenTranscript[], lane: number) => Promise<void>,
  ): Promise<void> {
    const byLane: SeenTranscript[][] = Array.from({ length: this.#options.pool.threads }, () => []);
    for (const one of sessions) byLane[laneOf(one.session.files[0].path) % byLane.length]!.push(one);
    await Promise.all(
      byLane.map((ofLane, lane) => pLimit(TASKS_AHEAD).map(split(ofLane), (portion) => work(portion, lane))),
    );
  }
}

/** The sessions that were found, as they are known already where their files are the same. */
function* seenSteps(
  found: readonly TenantSessions[],
  known: ReadonlyMap<string, SeenTranscript>,
): Generator<void, SeenTranscript[]> {
  const seen: SeenTranscript[] = [];
  for (const { sessions, identities } of found) {
    let at = 0;
    for (const session of sessions) {
      const files = [session, ...session.relatives].reduce((sum, one) => sum + one.files.length, 0);
      const identity = identities.slice(at, at + files * NUMBERS_PER_IDENTITY);
      at += identity.length;
      const before = known.get(keyOf(session));
      seen.push(before?.isOf(session, identity) ? before : new SeenTranscript(session, identity));
      if (seen.length % SESSIONS_PER_PAUSE === 0) yield;
    }
  }
  return seen;
}

/** A session as an element of the list. One that nobody expected to fail fails no list. */
function describe(
  one: SeenTranscript,
  claimed: (key: string) => string | undefined,
  now: number,
): ListedSession {
  try {
    return describeTranscript(one.session, one.summary!, claimed, now);
  } catch (error) {
    one.summary = unknownSummary(0, true, faultText(error));
    return describeTranscript(one.session, one.summary, claimed, now);
  }
}

function faultsOf(sessions: readonly SeenTranscript[]): RecordWarning[] {
  return sessions.flatMap(({ fault, tenantId, sessionId }) =>
    fault === undefined ? [] : [{ file: `${tenantId}/${sessionId}`, line: 1, reason: sessionFault(fault) }],
  );
}

function addClaims(claims: Map<string, Claims>, { tenantId, sessionId, summary }: SeenTranscript): void {
  for (const { key, title } of summary?.titles.claims ?? []) {
    const ofTenant = claims.get(tenantId) ?? new Map();
    claims.set(tenantId, ofTenant);
    if (sessionId >= (ofTenant.get(key)?.sessionId ?? "")) ofTenant.set(key, { title, sessionId });
  }
}

/** Sessions in portions that take about the same time. */
function portionsBySize(sessions: readonly SeenTranscript[]): SeenTranscript[][] {
  const portions: SeenTranscript[][] = [];
  let portion: SeenTranscript[] = [];
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

function keyOf({ tenantId, sessionId }: { readonly tenantId: string; readonly sessionId: string }): string {
  return `${tenantId}\0${sessionId}`;
}
