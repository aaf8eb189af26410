import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import { ApiError, type ApiProblem } from "../api/api-problem.js";
import { fetchSearch, type SearchPart } from "../api/fetch-search.js";
import type { SessionRef } from "../model/address.js";
import { hitKey, type PageSearch } from "../model/search.js";
import { tenantName } from "../model/tenant-name.js";
import { PAGE_ROWS } from "./list-protocol.js";
import type { SearchLine, SearchState } from "./search-protocol.js";
import { SessionItems } from "./session-items.js";

/** How many hits the API gives at a time. */
const LIMIT = 100;

const NOTHING: Pick<SearchPart, "searched" | "total" | "notes"> = {
  searched: { sessions: 0, bytes: undefined },
  total: { sessions: 0, bytes: undefined },
  notes: [],
};

/** Where the reader is: a session, and the hit that was opened last. */
export interface HitRef extends SessionRef {
  readonly key: string | undefined;
}

/** Follows a search to its end, holds what was found, and answers for the lines on the screen. */
export class SearchStore {
  readonly #base: string;
  readonly #most: number;
  readonly #notify: (state: SearchState) => void;
  readonly #items: SessionItems;
  #request: PageSearch | undefined;
  #reading = new AbortController();
  /** By session, in the order in which they were found. */
  #groups = new Map<string, SearchHit[]>();
  #lines: readonly (SessionRef | SearchHit)[] = [];
  #hits = 0;
  #allowed = 0;
  #cursor: string | undefined;
  #answer = NOTHING;
  #status: SearchState["status"] = "done";
  #problem: ApiProblem | undefined;
  #version = 0;

  /** @param most how many hits it stops at, each time that it is told to go on */
  constructor(base: string, most: number, notify: (state: SearchState) => void) {
    this.#base = base;
    this.#most = most;
    this.#notify = notify;
    this.#items = new SessionItems(base, () => this.#publish());
  }

  /** Begins a search; that of another request ends. For the same request it sends the state once more. */
  async ask(request: PageSearch | undefined): Promise<void> {
    if (JSON.stringify(request) === JSON.stringify(this.#request)) return this.#publish(false);
    this.#reading.abort();
    this.#items.stop();
    this.#request = request;
    this.#groups = new Map();
    this.#lines = [];
    this.#hits = this.#allowed = 0;
    this.#cursor = undefined;
    this.#answer = NOTHING;
    this.#status = "done";
    if (request === undefined) return this.#publish();
    await this.goOn();
  }

  /** Goes on after it has stopped at many hits, or has failed. */
  async goOn(): Promise<void> {
    if (this.#request === undefined || this.#status === "running") return;
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#allowed = this.#hits + this.#most;
    this.#status = "running";
    this.#problem = undefined;
    this.#publish();
    try {
      await this.#read(this.#request, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#status = "failed";
      this.#problem = error.problem;
    }
    this.#publish();
  }

  lines(from: number, to: number): SearchLine[] {
    return this.#lines.slice(from, to).map((line): SearchLine => {
      if ("snippet" in line) return { type: "hit", hit: line };
      const { length } = this.#groups.get(sessionKey(line))!;
      const item = this.#items.get(line);
      const { name, whole } = tenantName(item ?? line);
      const tenant = { name, whole, source: item?.source };
      return { ...line, type: "session", title: item?.title, tenant, hits: length };
    });
  }

  /** The number of a hit among all, from 1; 0 where it was not found yet, or none is named. */
  ordinal({ key, ...session }: HitRef): number {
    const hits = this.#allHits();
    return hits.findIndex((hit) => isIn(hit, session) && hitKey(hit) === key) + 1;
  }

  /**
   * The next hit, or the one before. From no hit it is the first or the last one of the session, or of all. Behind the last one
   * comes the first, once everything was searched; a search that has stopped goes on.
   */
  next(from: HitRef, step: 1 | -1): SearchHit | undefined {
    const hits = this.#allHits();
    const here = this.ordinal(from) - 1;
    if (here === -1) {
      const own = this.#groups.get(sessionKey(from)) ?? [];
      return own.at(step === 1 ? 0 : -1) ?? hits.at(step === 1 ? 0 : -1);
    }
    const next = hits.at(here + step);
    if (next !== undefined && here + step >= 0) return next;
    if (this.#status === "done") return hits.at(step === 1 ? 0 : -1);
    if (step === 1 && this.#status === "paused") void this.goOn();
    return undefined;
  }

  /** The envelopes of a session that were found, by their sequence. */
  sequencesIn(session: SessionRef): ReadonlySet<number> {
    const own = this.#groups.get(sessionKey(session)) ?? [];
    return new Set(own.flatMap(({ sequence }) => (sequence === undefined ? [] : [sequence])));
  }

  async #read({ q, kinds, tenantId, sessionId }: PageSearch, signal: AbortSignal): Promise<void> {
    const asked = {
      q,
      tenantId: tenantId || undefined,
      sessionId: sessionId || undefined,
      in: kinds.length === 0 ? undefined : kinds,
    };
    do {
      const limit = Math.min(LIMIT, this.#allowed - this.#hits);
      const query = { ...asked, limit, cursor: this.#cursor };
      const answer = await fetchSearch(this.#base, query, signal);
      signal.throwIfAborted(); // the answer may have come in the moment in which another query replaced this one
      this.#take(answer);
      if (this.#cursor === undefined) this.#status = "done";
      else if (this.#hits >= this.#allowed) this.#status = "paused";
      else this.#publish();
    } while (this.#status === "running");
  }

  #take(answer: SearchPart): void {
    this.#answer = answer;
    this.#cursor = answer.nextCursor;
    for (const hit of answer.hits) {
      const key = sessionKey(hit);
      const group = this.#groups.get(key);
      if (group === undefined) this.#groups.set(key, [hit]);
      else group.push(hit);
    }
    this.#hits += answer.hits.length;
    if (answer.hits.length === 0) return;
    this.#lines = [...this.#groups.values()].flatMap((hits) => {
      const { tenantId, sessionId } = hits[0]!;
      return [{ tenantId, sessionId }, ...hits];
    });
  }

  #allHits(): SearchHit[] {
    return [...this.#groups.values()].flat();
  }

  /** Keeps the version where the lines are the same. */
  #publish(changed = true): void {
    if (changed) this.#version++;
    this.#notify({
      version: this.#version,
      request: this.#request,
      status: this.#status,
      problem: this.#problem,
      lines: this.#lines.length,
      first: this.lines(0, PAGE_ROWS),
      hits: this.#hits,
      sessions: this.#groups.size,
      searched: this.#answer.searched,
      total: this.#answer.total,
      notes: this.#answer.notes,
    });
  }
}

function sessionKey({ tenantId, sessionId }: SessionRef): string {
  return JSON.stringify([tenantId, sessionId]);
}

function isIn(hit: SearchHit, { tenantId, sessionId }: SessionRef): boolean {
  return hit.tenantId === tenantId && hit.sessionId === sessionId;
}
