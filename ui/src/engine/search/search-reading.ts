import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import type { SearchAnswerPart } from "../../api/fetch-search.js";
import type { PageSearch } from "../../model/search/search.js";
import { zoneName } from "../sessions/zone-name.js";
import { MOST_NOTES, type SearchState } from "./search-protocol.js";

const NOTHING: SearchAnswerPart = {
  searched: { sessions: 0, bytes: undefined },
  total: { sessions: 0, bytes: undefined },
  notes: [],
  nextCursor: undefined,
};

interface Taker<Part extends SearchAnswerPart> {
  /** @param room remaining matches before it stops */
  fetch(
    request: PageSearch,
    from: { readonly cursor: string | undefined; readonly room: number },
    signal: AbortSignal,
  ): Promise<Part>;
  /** @returns all matches so far */
  take(part: Part): number;
  clear(): void;
  /** @param isChanged matches or request may have changed */
  publish(isChanged: boolean): void;
}

/** Follows a search answer by answer. Stops at the limit of matches, and can continue. */
export class SearchReading<Part extends SearchAnswerPart> {
  readonly #most: number;
  readonly #taker: Taker<Part>;
  #reading = new AbortController();
  #hits = 0;
  #allowed = 0;
  #status: SearchState["status"] = "done";
  #request: PageSearch | undefined;
  #problem: ApiProblem | undefined;
  #answer = NOTHING;
  readonly #notes = new Set<string>();

  /** @param most matches until each stop */
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

  /** Ends the search of another request. For the same request, publishes the state once more. */
  async ask(request: PageSearch | undefined): Promise<void> {
    if (JSON.stringify(request) === JSON.stringify(this.#request)) return this.#taker.publish(false);
    this.#reading.abort();
    this.#taker.clear();
    this.#request = request;
    this.#hits = this.#allowed = 0;
    this.#answer = NOTHING;
    this.#notes.clear();
    this.#status = "done";
    if (request === undefined) return this.#taker.publish(true);
    await this.goOn();
  }

  /** After a stop at the limit, or a failure. */
  async goOn(): Promise<void> {
    if (this.#request === undefined || this.#status === "running") return;
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#allowed = this.#hits + this.#most;
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
      const from = { cursor: this.#answer.nextCursor, room: this.#allowed - this.#hits };
      const answer = await this.#taker.fetch(request, from, signal);
      signal.throwIfAborted();
      this.#answer = answer;
      for (const note of answer.notes) if (this.#notes.size < MOST_NOTES) this.#notes.add(note);
      this.#hits = this.#taker.take(answer);
      if (answer.nextCursor === undefined) this.#status = "done";
      else if (this.#hits >= this.#allowed) this.#status = "paused";
      else this.#taker.publish(true);
    } while (this.#status === "running");
  }
}

export function searchParameters({ q, kinds, tenantId, sessionId, filter }: PageSearch) {
  return {
    q,
    tenantId: tenantId || undefined,
    sessionId: sessionId || undefined,
    in: kinds.length === 0 ? undefined : kinds,
    ...(filter === undefined ? {} : { filter, zone: zoneName("local") }),
  };
}
