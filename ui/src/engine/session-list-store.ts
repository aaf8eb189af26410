import { compareSessions, type InspectorSessionItem } from "../../../src/domain/session/session.js";
import { ApiError, type ApiProblem } from "../api/api-problem.js";
import { fetchRecords, type UnreadableRecord } from "../api/fetch-records.js";
import type { SessionRef } from "../model/address.js";
import { type SessionCosts, sumCosts } from "../model/session-costs.js";
import {
  fillsColumn,
  SESSION_COLUMNS,
  type SessionColumn,
  type SessionLine,
  sessionLines,
} from "../model/session-table.js";
import { type TenantName, tenantName, tenantOptions } from "../model/tenant-name.js";
import {
  type ListQuery,
  listQuery,
  PAGE_ROWS,
  type ReadingProgress,
  type SessionFilters,
  type SessionListState,
} from "./list-protocol.js";
import { readSession } from "./read-session.js";

/** The first page fills a screen and comes at once. */
const FIRST_LIMIT = 100;
/** The others are small while the service has to read sessions for them, and then as large as the API gives them. */
const UNREAD_LIMIT = 200;
const LIMIT = 1000;
/** While a list is first read that the service knows already, its lines are rebuilt whenever it has grown by this factor. */
const GROWTH = 4;
/** The part of the time that reading the whole list again may take. */
const MAX_LOAD = 0.05;

/** Holds the sessions that match the query and answers for the lines on the screen. */
export class SessionListStore {
  readonly #base: string;
  readonly #notify: (state: SessionListState) => void;
  #query: ListQuery = listQuery({});
  /** What the sessions were asked for with. */
  #filters: SessionFilters = this.#query.filters;
  #sessions: readonly InspectorSessionItem[] = [];
  #costs: SessionCosts | undefined;
  #lines: readonly SessionLine[] = [];
  #progress: ReadingProgress | undefined;
  #warnings: readonly UnreadableRecord[] = [];
  #complete = false;
  #loading = false;
  #problem: ApiProblem | undefined;
  #etag: string | undefined;
  #version = 0;
  #request = new AbortController();
  #notBefore = 0;
  readonly #tenants = new Map<string, TenantName>();
  readonly #users = new Set<string>();
  readonly #sources = new Set<string>();
  readonly #columns = new Set<SessionColumn>();
  #hasFolders = false;

  constructor(base: string, notify: (state: SessionListState) => void) {
    this.#base = base;
    this.#notify = notify;
  }

  /** Other filters are another request; another order is the same sessions. */
  async ask(query: ListQuery): Promise<void> {
    const same = JSON.stringify(query.filters) === JSON.stringify(this.#query.filters);
    this.#query = query;
    if (same && (this.#complete || this.#loading)) return this.#rebuild();
    this.#etag = undefined;
    await this.#read();
  }

  /** Reads the list again, if it has changed and the last reading is long enough ago. */
  async refresh(): Promise<void> {
    if (this.#loading || Date.now() < this.#notBefore) return;
    await this.#read();
  }

  lines(from: number, to: number): readonly SessionLine[] {
    return this.#lines.slice(from, to);
  }

  /** The line of a session; -1 where there is none. */
  indexOf(tenantId: string, sessionId: string): number {
    return this.#lines.findIndex(
      (line) =>
        line.type === "session" && line.session.sessionId === sessionId && line.session.tenantId === tenantId,
    );
  }

  /** What the list says of a session that is in it. */
  item({ tenantId, sessionId }: SessionRef): InspectorSessionItem | undefined {
    return this.#sessions.find((one) => one.sessionId === sessionId && one.tenantId === tenantId);
  }

  async #read(): Promise<void> {
    this.#request.abort();
    const request = new AbortController();
    this.#request = request;
    this.#loading = true;
    if (this.#version === 0) this.#publish();
    let began = Date.now();
    try {
      const wasRead = await this.#readPages(request.signal);
      if (wasRead) {
        // The service has read the sessions meanwhile: what belongs further up, or has another title now, is found at once.
        began = Date.now();
        await this.#readPages(request.signal);
      }
      this.#problem = undefined;
    } catch (error) {
      if (request.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#problem = error.problem;
    }
    this.#loading = false;
    this.#notBefore = Date.now() + (Date.now() - began) / MAX_LOAD;
    this.#publish();
  }

  /**
   * Shows a first reading while it comes in. A later one replaces what is shown once, when it is complete.
   *
   * @returns whether the service read sessions for it
   */
  async #readPages(signal: AbortSignal): Promise<boolean> {
    const fresh = this.#etag === undefined;
    const sessions = new PagedSessions();
    let shown = 0;
    let cursor: string | undefined;
    let limit = FIRST_LIMIT;
    let etag = this.#etag;
    let wasRead = false;
    do {
      const first = cursor === undefined;
      const page: InspectorSessionItem[] = [];
      const query = { ...this.#query.filters, limit, cursor };
      const onRecord = (text: string) => page.push(readSession(text));
      const fetched = await fetchRecords(this.#base, "/sessions", query, onRecord, {
        signal,
        ...(first && etag !== undefined ? { etag } : {}),
      });
      signal.throwIfAborted(); // the answer may have come in the moment in which another query replaced this one
      if (fetched === undefined) return false;
      sessions.add(page);
      if (first) etag = fetched.etag;
      cursor = fetched.nextCursor;
      const { total, unread } = fetched;
      const isReading = unread !== undefined && unread > 0;
      wasRead ||= isReading;
      limit = isReading ? UNREAD_LIMIT : LIMIT;
      this.#warnings = fetched.warnings;
      this.#progress = total === undefined ? undefined : { read: total - (unread ?? 0), total };
      if (fresh && cursor !== undefined && (isReading || sessions.size >= shown * GROWTH)) {
        shown = sessions.size;
        this.#replace(sessions.inOrder(), false);
      }
    } while (cursor !== undefined);
    this.#etag = etag ?? "";
    this.#replace(sessions.inOrder(), true);
    return wasRead;
  }

  #replace(sessions: readonly InspectorSessionItem[], complete: boolean): void {
    this.#sessions = sessions;
    this.#costs = sumCosts(sessions);
    this.#filters = this.#query.filters;
    this.#complete = complete;
    this.#problem = undefined;
    for (const session of sessions) {
      const { tenantId, userId, source, directory } = session;
      if (!this.#tenants.has(tenantId)) this.#tenants.set(tenantId, tenantName(session));
      if (userId !== "") this.#users.add(userId);
      if (source !== undefined) this.#sources.add(source);
      if (directory !== undefined) this.#hasFolders = true;
      for (const column of SESSION_COLUMNS) {
        if (!this.#columns.has(column) && fillsColumn(session, column)) this.#columns.add(column);
      }
    }
    this.#rebuild();
  }

  #rebuild(): void {
    this.#version++;
    const { sort, grouping, zone } = this.#query;
    this.#lines = sessionLines(this.#sessions, sort, grouping, zone);
    this.#publish();
  }

  /** Keeps the version where the lines are the same: the page restores its scroll position when the version changes. */
  #publish(): void {
    this.#notify({
      version: this.#version,
      filters: this.#filters,
      lines: this.#lines.length,
      first: this.#lines.slice(0, PAGE_ROWS),
      sessions: this.#sessions.length,
      costs: this.#costs,
      progress: this.#progress,
      warnings: this.#warnings,
      complete: this.#complete,
      loading: this.#loading,
      problem: this.#problem,
      tenants: tenantOptions(this.#tenants).slice(0, 500),
      users: [...this.#users].sort().slice(0, 500),
      sources: [...this.#sources].sort(),
      columns: SESSION_COLUMNS.filter((column) => this.#columns.has(column)),
      hasFolders: this.#hasFolders,
    });
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

  /** What turned out to belong further up is there. */
  inOrder(): InspectorSessionItem[] {
    const sessions = [...this.#sessions.values()];
    return this.#isSorted ? sessions : sessions.sort(compareSessions);
  }
}
