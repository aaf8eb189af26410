import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { isSameSession, keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { fetchSearch, type SearchPart } from "../../api/fetch-search.js";
import { hitKey, type PageSearch } from "../../model/search/search.js";
import { PAGE_ROWS } from "../sessions/list-protocol.js";
import type { SearchLine, SearchState } from "./search-protocol.js";
import { SearchReading, searchParameters } from "./search-reading.js";
import { SessionItems } from "./session-items.js";
import { sessionLine } from "./session-line.js";

const LIMIT = 100;

export interface HitRef extends SessionKey {
  readonly key: string | undefined;
}

export class SearchStore {
  readonly #notify: (state: SearchState) => void;
  readonly #items: SessionItems;
  readonly #reading: SearchReading<SearchPart>;
  #groups = new Map<string, SearchHit[]>();
  #lines: readonly (SessionKey | SearchHit)[] = [];
  #hits = 0;
  #version = 0;

  /** @param most hits until each stop */
  constructor(base: string, most: number, notify: (state: SearchState) => void) {
    this.#notify = notify;
    this.#items = new SessionItems(base, () => this.#publish());
    this.#reading = new SearchReading(most, {
      fetch: (request, { cursor, room }, signal) =>
        fetchSearch(base, { ...searchParameters(request), limit: Math.min(LIMIT, room), cursor }, signal),
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
    return this.#lines.slice(from, to).map((line): SearchLine => {
      if ("snippet" in line) return { type: "hit", hit: line };
      const { length } = this.#groups.get(keyText(line))!;
      return sessionLine(line, this.#items.get(line), { hits: length });
    });
  }

  /** From 1, among all hits; 0 without such a hit. */
  ordinal({ key, ...session }: HitRef): number {
    const hits = this.#allHits();
    return hits.findIndex((hit) => isSameSession(hit, session) && hitKey(hit) === key) + 1;
  }

  /**
   * Without a current hit, the first or the last hit of the session, or of all. Cyclic if everything was searched; a stopped search
   * continues instead.
   */
  next(from: HitRef, step: 1 | -1): SearchHit | undefined {
    const hits = this.#allHits();
    const here = this.ordinal(from) - 1;
    if (here === -1) {
      const own = this.#groups.get(keyText(from)) ?? [];
      return own.at(step === 1 ? 0 : -1) ?? hits.at(step === 1 ? 0 : -1);
    }
    const next = hits.at(here + step);
    if (next !== undefined && here + step >= 0) return next;
    const { status } = this.#reading.state;
    if (status === "done") return hits.at(step === 1 ? 0 : -1);
    if (step === 1 && status === "paused") void this.goOn();
    return undefined;
  }

  sequencesIn(session: SessionKey): ReadonlySet<number> {
    const own = this.#groups.get(keyText(session)) ?? [];
    return new Set(own.flatMap(({ sequence }) => (sequence === undefined ? [] : [sequence])));
  }

  #clear(): void {
    this.#items.stop();
    this.#groups = new Map();
    this.#lines = [];
    this.#hits = 0;
  }

  #take(answer: SearchPart): number {
    for (const hit of answer.hits) {
      const key = keyText(hit);
      const group = this.#groups.get(key);
      if (group === undefined) this.#groups.set(key, [hit]);
      else group.push(hit);
    }
    this.#hits += answer.hits.length;
    if (answer.hits.length === 0) return this.#hits;
    this.#lines = [...this.#groups.values()].flatMap((hits) => {
      const { tenantId, sessionId } = hits[0]!;
      return [{ tenantId, sessionId }, ...hits];
    });
    return this.#hits;
  }

  #allHits(): SearchHit[] {
    return [...this.#groups.values()].flat();
  }

  /** Equal lines retain the version. */
  #publish(changed = true): void {
    if (changed) this.#version++;
    this.#notify({
      ...this.#reading.state,
      version: this.#version,
      lines: this.#lines.length,
      first: this.lines(0, PAGE_ROWS),
      hits: this.#hits,
      isAbout: false,
      sessions: this.#groups.size,
    });
  }
}
