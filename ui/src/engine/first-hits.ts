import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import { ApiError } from "../api/api-problem.js";
import { fetchSearch } from "../api/fetch-search.js";
import type { SessionRef } from "../model/address.js";
import type { PageSearch } from "../model/search.js";
import { searchParameters } from "./search-reading.js";

/** Maximum number of answers to wait for per session: each takes about a third of a second. */
const MOST_ANSWERS = 20;

/** Maximum number of waiting sessions. Sessions that were scrolled past first are dropped. */
const MOST_WAITING = 40;

interface Waiting {
  readonly request: PageSearch;
  readonly session: SessionRef;
}

/** Loads the first hits of visible sessions, one session after another, in the order of the requests. */
export class FirstHits {
  readonly #base: string;
  readonly #most: number;
  readonly #onFound: () => void;
  /** By session. */
  readonly #hits = new Map<string, readonly SearchHit[]>();
  readonly #waiting = new Map<string, Waiting>();
  #asking = new AbortController();
  #isBusy = false;

  /** @param onFound called when more hits are available */
  constructor(base: string, most: number, onFound: () => void) {
    this.#base = base;
    this.#most = most;
    this.#onFound = onFound;
  }

  /** Returns the hits of a session; `undefined` until they are available. */
  of(session: SessionRef): readonly SearchHit[] | undefined {
    return this.#hits.get(keyOf(session));
  }

  /** Requests the hits, unless they are cached or already requested. */
  ask(request: PageSearch, { tenantId, sessionId }: SessionRef): void {
    const session = { tenantId, sessionId };
    const key = keyOf(session);
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
    await Promise.resolve(); // visible sessions are requested together
    while (this.#waiting.size > 0 && !signal.aborted) {
      const [key, wanted] = [...this.#waiting].at(0)!;
      const hits = await this.#look(wanted, signal);
      if (signal.aborted) return;
      this.#waiting.delete(key);
      this.#hits.set(key, hits);
      this.#onFound();
    }
    if (!signal.aborted) this.#isBusy = false;
  }

  /** Returns the hits that arrive in time; nothing if the session cannot be read. Opening the session reports that problem. */
  async #look({ request, session }: Waiting, signal: AbortSignal): Promise<SearchHit[]> {
    const hits: SearchHit[] = [];
    const { q, kinds } = request; // the session is one that the filter means
    const asked = searchParameters({ q, kinds, ...session });
    let cursor: string | undefined;
    try {
      for (let answers = 0; answers < MOST_ANSWERS; answers++) {
        const limit = this.#most - hits.length;
        const part = await fetchSearch(this.#base, { ...asked, limit, cursor }, signal);
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

function keyOf({ tenantId, sessionId }: SessionRef): string {
  return JSON.stringify([tenantId, sessionId]);
}
