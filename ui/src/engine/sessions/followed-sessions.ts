import { compareSessions, type InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { keyText } from "../../../../src/domain/session/session-key.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import type { QueryAt } from "../../api/endpoint-address.js";
import { fetchRecords, type UnreadableRecord } from "../../api/fetch-records.js";
import type { ReadingProgress } from "./list-protocol.js";
import { readSession } from "./read-session.js";

/** Fills a screen without delay. */
const FIRST_LIMIT = 100;
/** Small pages while the service has to read sessions, then the maximum of the API. */
const UNREAD_LIMIT = 200;
const LIMIT = 1000;
/** The first reading of a list that the service has already read rebuilds lines at each growth by this factor. */
const GROWTH = 4;
const MAX_LOAD = 0.05;

type SessionsQuery = Pick<QueryAt<"/sessions">, "q" | "filter" | "zone">;

/** A list of the service, read page by page, and again after a change. */
export class FollowedSessions {
  readonly query: SessionsQuery;
  sessions: readonly InspectorSessionItem[] = [];
  progress: ReadingProgress | undefined;
  warnings: readonly UnreadableRecord[] = [];
  /** Omitted sessions: the service cannot decide whether the filter matches them. */
  undecided = 0;
  complete = false;
  loading = false;
  problem: ApiProblem | undefined;
  readonly #base: string;
  readonly #onChange: (change: "sessions" | "state") => void;
  #etag: string | undefined;
  #request = new AbortController();
  #notBefore = 0;
  #unread = 0;

  /** @param onChange `"state"`: only the progress of reading has changed */
  constructor(base: string, query: SessionsQuery, onChange: (change: "sessions" | "state") => void) {
    this.#base = base;
    this.query = query;
    this.#onChange = onChange;
  }

  get isBegun(): boolean {
    return this.complete || this.loading;
  }

  async refresh(): Promise<void> {
    if (this.loading || Date.now() < this.#notBefore) return;
    await this.read();
  }

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
        // The service has read sessions meanwhile: displays new positions and titles at once.
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

  /** Each answer to a filter reads on for a moment: requests again while the number of sessions falls, at most half of the time. */
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
   * Displays the first reading while it arrives; later ones replace the list once, when complete.
   * @returns true if the service read sessions for it
   */
  async #readPages(signal: AbortSignal): Promise<boolean> {
    const fresh = this.#etag === undefined;
    const sessions = new PagedSessions();
    let visible = 0;
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
      signal.throwIfAborted();
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
      if (fresh && cursor !== undefined && (isReading || sessions.size >= visible * GROWTH)) {
        visible = sessions.size;
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
      const key = keyText(session);
      if (this.#sessions.has(key)) this.#isSorted = false;
      this.#sessions.set(key, session);
    }
    this.#last = page.at(-1) ?? this.#last;
  }

  inOrder(): InspectorSessionItem[] {
    const sessions = [...this.#sessions.values()];
    return this.#isSorted ? sessions : sessions.sort(compareSessions);
  }
}
