import { ApiError, type ApiProblem } from "../api/api-problem.js";
import type { SearchAnswerPart } from "../api/fetch-search.js";
import type { PageSearch } from "../model/search.js";
import { MOST_NOTES, type SearchState } from "./search-protocol.js";
import { zoneName } from "./zone-name.js";

const NOTHING: SearchAnswerPart = {
  searched: { sessions: 0, bytes: undefined },
  total: { sessions: 0, bytes: undefined },
  notes: [],
  nextCursor: undefined,
};

/** Who takes what a search finds. */
interface Taker<Part extends SearchAnswerPart> {
  /** @param room how many more are wanted before it stops */
  fetch(
    request: PageSearch,
    from: { readonly cursor: string | undefined; readonly room: number },
    signal: AbortSignal,
  ): Promise<Part>;
  /** @returns number of matches since the search began */
  take(part: Part): number;
  /** Discards the matches. */
  clear(): void;
  /** @param isChanged true if the matches or the request may have changed */
  publish(isChanged: boolean): void;
}

/** Follows a search of the page to its end, answer by answer. It stops each time the number of matches reaches the limit. */
export class SearchReading<Part extends SearchAnswerPart> {
  readonly #most: number;
  readonly #taker: Taker<Part>;
  #reading = new AbortController();
  #found = 0;
  #allowed = 0;
  #status: SearchState["status"] = "done";
  #request: PageSearch | undefined;
  #problem: ApiProblem | undefined;
  #answer = NOTHING;
  readonly #notes = new Set<string>();

  /** @param most number of matches at which it stops, each time it is continued */
  constructor(most: number, taker: Taker<Part>) {
    this.#most = most;
    this.#taker = taker;
  }

  get state(): Pick<SearchState, "request" | "status" | "problem" | "searched" | "total" | "notes"> {
    const { searched, total } = this.#answer;
    return {
      request: this.#request,
      status: this.#status,
      problem: this.#problem,
      ...{ searched, total },
      notes: [...this.#notes],
    };
  }

  /** Begins a search; that of another request ends. For the same request the state is published once more. */
  async ask(request: PageSearch | undefined): Promise<void> {
    if (JSON.stringify(request) === JSON.stringify(this.#request)) return this.#taker.publish(false);
    this.#reading.abort();
    this.#taker.clear();
    this.#request = request;
    this.#found = this.#allowed = 0;
    this.#answer = NOTHING;
    this.#notes.clear();
    this.#status = "done";
    if (request === undefined) return this.#taker.publish(true);
    await this.goOn();
  }

  /** Continues after it stopped at the limit or failed. */
  async goOn(): Promise<void> {
    if (this.#request === undefined || this.#status === "running") return;
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#allowed = this.#found + this.#most;
    this.#status = "running";
    this.#problem = undefined;
    this.#taker.publish(true);
    try {
      await this.#read(this.#request, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#status = "failed";
      this.#problem = error.problem;
    }
    this.#taker.publish(true);
  }

  async #read(request: PageSearch, signal: AbortSignal): Promise<void> {
    do {
      const from = { cursor: this.#answer.nextCursor, room: this.#allowed - this.#found };
      const answer = await this.#taker.fetch(request, from, signal);
      signal.throwIfAborted(); // the answer may have arrived just when another query replaced this one
      this.#answer = answer;
      for (const note of answer.notes) if (this.#notes.size < MOST_NOTES) this.#notes.add(note);
      this.#found = this.#taker.take(answer);
      if (answer.nextCursor === undefined) this.#status = "done";
      else if (this.#found >= this.#allowed) this.#status = "paused";
      else this.#taker.publish(true);
    } while (this.#status === "running");
  }
}

/** The parameters of a request to the API. */
export function searchParameters({ q, kinds, tenantId, sessionId, filter }: PageSearch) {
  return {
    q,
    tenantId: tenantId || undefined,
    sessionId: sessionId || undefined,
    in: kinds.length === 0 ? undefined : kinds,
    ...(filter === undefined ? {} : { filter, zone: zoneName("local") }),
  };
}
