import { compareSessions, type InspectorSessionItem } from "../../../src/domain/session/session.js";
import { ApiError, type ApiProblem } from "../api/api-problem.js";
import type { QueryAt } from "../api/endpoint-address.js";
import { fetchRecords, type UnreadableRecord } from "../api/fetch-records.js";
import type { ReadingProgress } from "./list-protocol.js";
import { readSession } from "./read-session.js";

/** The first page fills a screen and comes at once. */
const FIRST_LIMIT = 100;
/** The others are small while the service has to read sessions for them, and then as large as the API gives them. */
const UNREAD_LIMIT = 200;
const LIMIT = 1000;
/** While a list is first read that the service knows already, its lines are rebuilt whenever it has grown by this factor. */
const GROWTH = 4;
/** Maximum fraction of time for reading the complete list again. */
const MAX_LOAD = 0.05;

type SessionsQuery = Pick<QueryAt<"/sessions">, "q" | "filter" | "zone">;

/** One list of sessions of the service, which is read page by page, and again when it has changed. */
export class FollowedSessions {
  readonly query: SessionsQuery;
  sessions: readonly InspectorSessionItem[] = [];
  progress: ReadingProgress | undefined;
  warnings: readonly UnreadableRecord[] = [];
  /** Number of sessions that the service omitted because it cannot decide whether the filter matches them. */
  undecided = 0;
  /** True if the list was read to its end once. */
  complete = false;
  loading = false;
  problem: ApiProblem | undefined;
  readonly #base: string;
  readonly #onChange: (change: "sessions" | "state") => void;
  #etag: string | undefined;
  #request = new AbortController();
  #notBefore = 0;
  #unread = 0;

  /** @param onChange called with what is another now: the sessions, or only how far their reading is */
  constructor(base: string, query: SessionsQuery, onChange: (change: "sessions" | "state") => void) {
    this.#base = base;
    this.query = query;
    this.#onChange = onChange;
  }

  /** True if a part of the list is loaded or requested. */
  get isBegun(): boolean {
    return this.complete || this.loading;
  }

  /** Reads the list again, if it has changed and the last reading is long enough ago. */
  async refresh(): Promise<void> {
    if (this.loading || Date.now() < this.#notBefore) return;
    await this.read();
  }

  /** Aborts the current reading, because its result is no longer needed. */
  stop(): void {
    this.#request.abort();
    this.loading = false;
  }

  async read(): Promise<void> {
    this.#request.abort();
    const request = new AbortController();
    this.#request = request;
    this.loading = true;
    let began = Date.now();
    try {
      const wasRead = await this.#readPages(request.signal);
      if (wasRead) {
        // The service has read the sessions in the meantime. Sessions with a new position or title are visible at once.
        began = Date.now();
        await this.#readPages(request.signal);
      }
      if (this.query.filter !== undefined) await this.#readOn(request.signal);
      this.problem = undefined;
    } catch (error) {
      if (request.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
    }
    this.loading = false;
    this.#notBefore = Date.now() + (Date.now() - began) / MAX_LOAD;
    this.#onChange("state");
  }

  /** Each answer to a filter reads on for a moment: asks again while fewer and fewer sessions are left, and half of the time at most. */
  async #readOn(signal: AbortSignal): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.#unread > 0 && this.#unread < before; ) {
      before = this.#unread;
      const began = Date.now();
      await this.#readPages(signal);
      await new Promise((resolve) => setTimeout(resolve, Date.now() - began));
      signal.throwIfAborted();
    }
  }

  /**
   * Displays the first reading while it arrives. A later reading replaces the list once, when it is complete.
   *
   * @returns true if the service read sessions for it
   */
  async #readPages(signal: AbortSignal): Promise<boolean> {
    const fresh = this.#etag === undefined;
    const sessions = new PagedSessions();
    let shown = 0;
    let cursor: string | undefined;
    let limit = FIRST_LIMIT;
    let etag = this.#etag;
    let wasRead = false;
    let undecided = 0;
    do {
      const first = cursor === undefined;
      const page: InspectorSessionItem[] = [];
      const query = { ...this.query, limit, cursor };
      const onRecord = (text: string) => page.push(readSession(text));
      const fetched = await fetchRecords(this.#base, "/sessions", query, onRecord, {
        signal,
        ...(first && etag !== undefined ? { etag } : {}),
      });
      signal.throwIfAborted(); // the answer may have arrived just when another query replaced this one
      if (fetched === undefined) return false;
      sessions.add(page);
      if (first) etag = fetched.etag;
      cursor = fetched.nextCursor;
      const { total, unread } = fetched;
      const isReading = unread !== undefined && unread > 0;
      this.#unread = unread ?? 0;
      wasRead ||= isReading;
      limit = isReading ? UNREAD_LIMIT : LIMIT;
      undecided = Math.max(undecided, fetched.undecided ?? 0);
      this.warnings = fetched.warnings;
      this.progress = total === undefined ? undefined : { read: total - (unread ?? 0), total };
      if (fresh && cursor !== undefined && (isReading || sessions.size >= shown * GROWTH)) {
        shown = sessions.size;
        this.#replace(sessions.inOrder(), undecided, false);
      }
    } while (cursor !== undefined);
    this.#etag = etag ?? "";
    this.#replace(sessions.inOrder(), undecided, true);
    return wasRead;
  }

  #replace(sessions: readonly InspectorSessionItem[], undecided: number, complete: boolean): void {
    this.sessions = sessions;
    this.undecided = undecided;
    this.complete = complete;
    this.problem = undefined;
    this.#onChange("sessions");
  }
}

/** The sessions of some pages, each once, as the last page that has it gives it. */
class PagedSessions {
  readonly #sessions = new Map<string, InspectorSessionItem>();
  #last: InspectorSessionItem | undefined;
  #isSorted = true;

  get size(): number {
    return this.#sessions.size;
  }

  add(page: readonly InspectorSessionItem[]): void {
    const [first] = page;
    if (first !== undefined && this.#last !== undefined && compareSessions(first, this.#last) < 0) {
      this.#isSorted = false;
    }
    for (const session of page) {
      const key = `${session.tenantId}\0${session.sessionId}`;
      if (this.#sessions.has(key)) this.#isSorted = false;
      this.#sessions.set(key, session);
    }
    this.#last = page.at(-1) ?? this.#last;
  }

  /** Returns the sessions in order: those that turned out to belong further up are moved there. */
  inOrder(): InspectorSessionItem[] {
    const sessions = [...this.#sessions.values()];
    return this.#isSorted ? sessions : sessions.sort(compareSessions);
  }
}
