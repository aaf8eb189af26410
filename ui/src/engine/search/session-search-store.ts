import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { isSameSession } from "../../../../src/domain/session/session-key.js";
import { fetchSessionSearch, type SessionSearchHit, type SessionSearchPart } from "../../api/fetch-search.js";
import { hitKey, type PageSearch } from "../../model/search/search.js";
import { PAGE_ROWS } from "../sessions/list-protocol.js";
import { FirstHits } from "./first-hits.js";
import type { SearchLine, SearchState } from "./search-protocol.js";
import { SearchReading, searchParameters } from "./search-reading.js";
import type { HitRef } from "./search-store.js";
import { SessionItems } from "./session-items.js";
import { sessionLine } from "./session-line.js";

/** Few sessions at first, so that they arrive soon and with hits. */
const FIRST_LIMIT = 20;
const LIMIT = 500;

const VISIBLE = 3;

type Line =
  | SessionSearchHit
  | SearchHit
  | (Extract<SearchLine, { type: "pending" | "none" }> & { of: SessionSearchHit });

/** The service returns the hits of some sessions; those of others are requested when visible. */
export class SessionSearchStore {
  readonly #notify: (state: SearchState) => void;
  readonly #items: SessionItems;
  readonly #firstHits: FirstHits;
  readonly #reading: SearchReading<SessionSearchPart>;
  #results: SessionSearchHit[] = [];
  #lines: readonly Line[] = [];
  #hits = 0;
  #isAbout = false;
  #version = 0;

  /** @param most sessions until each stop */
  constructor(base: string, most: number, notify: (state: SearchState) => void) {
    this.#notify = notify;
    this.#items = new SessionItems(base, () => this.#publish());
    this.#firstHits = new FirstHits(base, VISIBLE, () => {
      this.#makeLines();
      this.#publish();
    });
    this.#reading = new SearchReading(most, {
      fetch: (request, { cursor, room }, signal) => {
        const limit = Math.min(room, cursor === undefined ? FIRST_LIMIT : LIMIT);
        const { sessionId: _, ...parameters } = searchParameters(request);
        return fetchSessionSearch(base, { ...parameters, limit, cursor }, signal);
      },
      take: (answer) => this.#take(answer),
      clear: () => this.#clear(),
      publish: (isChanged) => this.#publish(isChanged),
    });
  }

  /** For the same request, sends the state once more. */
  ask(request: PageSearch | undefined): Promise<void> {
    return this.#reading.ask(request);
  }

  goOn(): Promise<void> {
    return this.#reading.goOn();
  }

  lines(from: number, to: number): SearchLine[] {
    const { request } = this.#reading.state;
    return this.#lines.slice(from, to).map((line): SearchLine => {
      if ("snippet" in line) return { type: "hit", hit: line };
      if ("of" in line) {
        const { of, ...own } = line;
        if (own.type === "pending" && request !== undefined) this.#firstHits.ask(request, of);
        return own;
      }
      const { count: hits, countIs, title, lastActive } = line;
      return sessionLine(line, this.#items.get(line), { hits, countIs, title, lastActive });
    });
  }

  /** Cyclic over displayed hits. Without a current hit, the first or the last. */
  next(from: HitRef, step: 1 | -1): SearchHit | undefined {
    const hits = this.#lines.filter((line): line is SearchHit => "snippet" in line);
    const here = hits.findIndex((hit) => isSameSession(hit, from) && hitKey(hit) === from.key);
    if (here === -1) return hits.at(step === 1 ? 0 : -1);
    return hits.at((here + step) % hits.length);
  }

  #clear(): void {
    this.#items.stop();
    this.#firstHits.clear();
    this.#results = [];
    this.#lines = [];
    this.#hits = 0;
    this.#isAbout = false;
  }

  #take({ sessions }: SessionSearchPart): number {
    for (const session of sessions) {
      this.#results.push(session);
      this.#hits += session.count;
      this.#isAbout ||= session.countIs !== "exact";
    }
    if (sessions.length > 0) this.#makeLines();
    return this.#results.length;
  }

  /** Reserves the final number of lines, so that nothing moves when hits arrive. */
  #makeLines(): void {
    this.#lines = this.#results.flatMap((session): Line[] => {
      const { tenantId, sessionId, count } = session;
      const hits = session.hits.length > 0 ? session.hits : this.#firstHits.of(session);
      if (hits === undefined) {
        const pending = { type: "pending", tenantId, sessionId, of: session } as const;
        return [session, ...Array.from({ length: Math.min(VISIBLE, count) }, () => pending)];
      }
      return [
        session,
        ...(hits.length === 0 ? [{ type: "none", tenantId, sessionId, of: session } as const] : hits),
      ];
    });
  }

  /** Equal lines retain the version. */
  #publish(isChanged = true): void {
    if (isChanged) this.#version++;
    this.#notify({
      ...this.#reading.state,
      version: this.#version,
      lines: this.#lines.length,
      first: this.lines(0, PAGE_ROWS),
      hits: this.#hits,
      isAbout: this.#isAbout,
      sessions: this.#results.length,
    });
  }
}
