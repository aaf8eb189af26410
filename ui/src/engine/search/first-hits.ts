import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { ApiError } from "../../api/api-problem.js";
import { fetchSearch } from "../../api/fetch-search.js";
import type { PageSearch } from "../../model/search/search.js";
import { searchParameters } from "./search-reading.js";

/** Each answer takes about a third of a second. */
const MOST_ANSWERS = 20;

/** Drops sessions that were scrolled past first. */
const MOST_WAITING = 40;

interface Waiting {
  readonly request: PageSearch;
  readonly session: SessionKey;
}

export class FirstHits {
  readonly #base: string;
  readonly #most: number;
  readonly #onHit: () => void;
  readonly #hits = new Map<string, readonly SearchHit[]>();
  readonly #waiting = new Map<string, Waiting>();
  #asking = new AbortController();
  #isBusy = false;

  /** @param onHit called for new hits */
  constructor(base: string, most: number, onHit: () => void) {
    this.#base = base;
    this.#most = most;
    this.#onHit = onHit;
  }

  /** `undefined` until they are available. */
  of(session: SessionKey): readonly SearchHit[] | undefined {
    return this.#hits.get(keyText(session));
  }

  ask(request: PageSearch, { tenantId, sessionId }: SessionKey): void {
    const session = { tenantId, sessionId };
    const key = keyText(session);
    if (this.#hits.has(key) || this.#waiting.has(key)) return;
    this.#waiting.set(key, { request, session });
    const [first] = this.#waiting.keys();
    if (this.#waiting.size > MOST_WAITING) this.#waiting.delete(first!);
    if (!this.#isBusy) void this.#goOn(this.#asking.signal);
  }

  clear(): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#hits.clear();
    this.#waiting.clear();
    this.#isBusy = false;
  }

  async #goOn(signal: AbortSignal): Promise<void> {
    this.#isBusy = true;
    await Promise.resolve();
    while (this.#waiting.size > 0 && !signal.aborted) {
      const [key, wanted] = [...this.#waiting].at(0)!;
      const hits = await this.#look(wanted, signal);
      if (signal.aborted) return;
      this.#waiting.delete(key);
      this.#hits.set(key, hits);
      this.#onHit();
    }
    if (!signal.aborted) this.#isBusy = false;
  }

  /** Empty if the session cannot be read: opening it reports the problem. */
  async #look({ request, session }: Waiting, signal: AbortSignal): Promise<SearchHit[]> {
    const hits: SearchHit[] = [];
    const { q, kinds } = request;
    const parameters = searchParameters({ q, kinds, ...session });
    let cursor: string | undefined;
    try {
      for (let answers = 0; answers < MOST_ANSWERS; answers++) {
        const limit = this.#most - hits.length;
        const part = await fetchSearch(this.#base, { ...parameters, limit, cursor }, signal);
        hits.push(...part.hits);
        cursor = part.nextCursor;
        if (cursor === undefined || hits.length >= this.#most) break;
      }
    } catch (error) {
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
    }
    return hits;
  }
}
