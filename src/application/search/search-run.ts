import type { SearchHit } from "../../domain/search/search-hit.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { SearchExtent } from "../ports/record-search.js";
import type { SessionSource } from "../ports/session-source.js";
import type { RecordPosition } from "../records/record-position.js";
import { BEGINNING } from "../records/session-records.js";
import type { SearchRequest } from "./search-answer.js";
import { SearchCandidates } from "./search-candidates.js";
import type { SearchCursor } from "./search-cursor.js";
import { orLeftOut, SearchNotes } from "./search-notes.js";
import type { SearchTime } from "./search-time.js";
import { type VisitParts, visitSession } from "./search-visit.js";
import type { Selection } from "./selected-sessions.js";
import { type SessionSizes, SessionsAhead } from "./sessions-ahead.js";

export interface SearchParts extends VisitParts {
  readonly source: SessionSource;
  readonly request: SearchRequest;
  readonly time: SearchTime;
  readonly selection?: Selection | undefined;
}

export interface SearchedSoFar {
  readonly next: SearchCursor | undefined;
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
}

const MOST_AHEAD = 64;

/** Minimum time to search records, in milliseconds. Without it, a slow source would need one answer per record. */
export const LEAST_MS = 100;

export class SearchRun {
  readonly hits: SearchHit[] = [];
  readonly #notes = new SearchNotes();
  readonly #parts: SearchParts;
  readonly #candidates: SearchCandidates;
  readonly #ahead: SessionsAhead;
  #hasGotOn = false;

  constructor(parts: SearchParts, sizes: SessionSizes) {
    const { source, options } = parts;
    this.#parts = parts;
    this.#candidates = new SearchCandidates(parts, this.#notes);
    this.#ahead = new SessionsAhead(source, sizes, options);
  }

  get notes(): readonly string[] {
    return this.#notes.sentences;
  }

  async from(begin: SearchCursor): Promise<SearchedSoFar> {
    try {
      return await this.#goOn(begin);
    } finally {
      this.#ahead.close();
    }
  }

  async #goOn({ after, within }: SearchCursor): Promise<SearchedSoFar> {
    const { time } = this.#parts;
    let extents: Pick<SearchedSoFar, "searched" | "total"> = { searched: {}, total: {} };
    if (within !== undefined && this.#candidates.isRequested(within)) {
      extents = { searched: within.before, total: within.total };
      const place = await this.#searchSession(within, within.place);
      if (place !== undefined) return { next: { after, within: { ...within, place } }, ...extents };
    }
    for (;;) {
      if (this.#isOver()) return { next: { after }, ...extents };
      const page = await this.#candidates.behind(after, { budgetMs: time.leftMs() }, this.hits.length > 0);
      if (page === undefined) return { next: { after }, ...extents };
      const { total, candidates } = page;
      const wanted = candidates.filter(({ isRequested }) => isRequested);
      let begun = 0;
      for (const candidate of candidates) {
        const { tenantId, sessionId, before, isRequested } = candidate;
        if (this.#isOver(isRequested && this.#ahead.has(candidate)))
          return { next: { after }, searched: before, total };
        after = candidate.place;
        if (!isRequested) continue;
        if (!this.#isOver()) this.#ahead.begin(wanted.slice(begun, begun + MOST_AHEAD));
        begun++;
        const place = await this.#searchSession(candidate, BEGINNING);
        if (place === undefined) continue;
        const next = { after, within: { tenantId, sessionId, place, before, total } };
        return { next, searched: before, total };
      }
      extents = { searched: page.searched, total };
      if (page.next === undefined) return { next: undefined, ...extents };
      after = page.next;
      this.#hasGotOn = true;
    }
  }

  /** @param isBegun true for a session that is already loading: it has a little more time */
  #isOver(isBegun = false): boolean {
    const { request, time } = this.#parts;
    if (this.hits.length >= request.limit) return true;
    return this.#hasGotOn && time.leftMs(isBegun) === 0;
  }

  /** @returns the position to continue at; `undefined` after the last record, and for a skipped session */
  async #searchSession(key: SessionKey, from: RecordPosition): Promise<RecordPosition | undefined> {
    const { request, options } = this.#parts;
    const hitCount = this.hits.length;
    const place = await orLeftOut(key, () => this.#searchOnce(key, from), {
      notes: this.#notes,
      isNamed: request.sessionId !== undefined,
      options,
      undo: () => {
        this.hits.length = hitCount;
        this.#hasGotOn = false;
      },
    });
    this.#hasGotOn = true;
    return place;
  }

  async #searchOnce(key: SessionKey, from: RecordPosition): Promise<RecordPosition | undefined> {
    const { request, time } = this.#parts;
    const isBegun = this.#ahead.has(key);
    const session = await time.waitingFor(this.#ahead.take(key));
    return await visitSession(session, key, from, this.#parts, {
      bounds: () =>
        this.#isOver(isBegun)
          ? undefined
          : {
              most: request.limit - this.hits.length,
              budgetMs: Math.max(LEAST_MS, time.leftMs(isBegun)),
            },
      take: (hits, faults) => {
        this.#hasGotOn = true;
        this.#notes.addFaults(key, faults);
        this.hits.push(...hits);
      },
    });
  }
}
