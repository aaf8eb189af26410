import { plainBatch } from "../../domain/json/record-batch.js";
import type { SearchHit } from "../../domain/search/search-hit.js";
import type { SearchQuery } from "../../domain/search/search-query.js";
import { InvalidRequestError, SourceChangedError } from "../errors.js";
import type { TraceOrders } from "../explain/trace-orders.js";
import type { ReadingPool, ReadingTask } from "../ports/reading-pool.js";
import type { RecordSearchPage, SearchExtent } from "../ports/record-search.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SessionKey } from "../ports/session-store.js";
import type { SearchRequest } from "./search-answer.js";
import { type FoundInBatch, SEARCH_BATCH, type SearchBatch } from "./search-batch.js";
import type { RecordPosition, SearchCursor } from "./search-cursor.js";
import { leftOutBecause, SearchNotes } from "./search-notes.js";
import { BEGINNING, type SearchedBatch, searchedBatches } from "./search-session.js";
import type { SearchTime } from "./search-time.js";
import { type SessionSizes, SessionsAhead } from "./sessions-ahead.js";

type SearchTask = ReadingTask<SearchBatch, FoundInBatch>;

/** @throws InvalidRequestError for a pattern that is none */
export async function taskFor({ kind, text }: SearchQuery): Promise<SearchTask> {
  if (kind === "text") return SEARCH_BATCH;
  const { patternFinder, SEARCH_BATCH_FOR_PATTERN } = await import("./search-batch-for-pattern.js");
  patternFinder(text);
  return SEARCH_BATCH_FOR_PATTERN;
}

/** What one answer of a search is made with. */
export interface SearchParts {
  /** Held to the caller's scope. */
  readonly source: SessionSource;
  readonly pool: ReadingPool;
  readonly orders: TraceOrders;
  readonly task: SearchTask;
  readonly request: SearchRequest;
  readonly sizes: SessionSizes;
  readonly time: SearchTime;
  readonly options: SearchReadOptions;
}

export interface SearchReadOptions extends ReadOptions {
  /** Told of every failure that is not the client's, and that the answer only mentions. It does not throw. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

interface SearchedSoFar {
  /** `undefined` where everything was searched. */
  readonly next: SearchCursor | undefined;
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
}

/** How many candidates are asked for at a time: few, because those that are there are searched before more are looked for. */
const CANDIDATES = 16;

/** How many of a source that makes its whole list each time: more than an answer gets through. */
const LISTED_CANDIDATES = 1_000;

/** Up to how many candidates are looked through for what to load ahead. */
const MOST_AHEAD = 64;

/** How long records are searched at least, however late they came, in milliseconds: else a slow source would have an answer a record. */
const LEAST_MS = 100;

/** One answer of a search, while it is made: from a place on, session after session, until it is full or its time is over. */
export class SearchRun {
  readonly hits: SearchHit[] = [];
  readonly #notes = new SearchNotes();
  readonly #parts: SearchParts;
  readonly #ahead: SessionsAhead;
  /** Whether the next answer would begin further on than this one. */
  #hasGotOn = false;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#ahead = new SessionsAhead(parts.source, parts.sizes, parts.options);
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
    let extents: Pick<SearchedSoFar, "searched" | "total"> = { searched: {}, total: {} };
    if (within !== undefined && this.#isAskedFor(within)) {
      extents = { searched: within.before, total: within.total };
      const place = await this.#searchSession(within, within.place);
      if (place !== undefined) return { next: { after, within: { ...within, place } }, ...extents };
    }
    for (;;) {
      if (this.#isOver()) return { next: { after }, ...extents };
      const page = await this.#candidatesBehind(after);
      if (page === undefined) return { next: { after }, ...extents };
      const { total } = page;
      const candidates = page.candidates.map((candidate) => ({
        ...candidate,
        isAskedFor: this.#isAskedFor(candidate),
      }));
      const wanted = candidates.filter(({ isAskedFor }) => isAskedFor);
      let begun = 0;
      for (const candidate of candidates) {
        const { tenantId, sessionId, before, isAskedFor } = candidate;
        if (this.#isOver(isAskedFor && this.#ahead.has(candidate)))
          return { next: { after }, searched: before, total };
        after = candidate.place;
        if (!isAskedFor) continue;
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

  /** @param isBegun whether it is about a session that is being loaded already: then there is a little more time. Default is that it is not */
  #isOver(isBegun = false): boolean {
    const { request, time } = this.#parts;
    if (this.hits.length >= request.limit) return true;
    return this.#hasGotOn && time.leftMs(isBegun) === 0;
  }

  /** A cursor that was made up may name any session, and a source may give any. */
  #isAskedFor({ tenantId, sessionId }: SessionKey): boolean {
    const { request } = this.#parts;
    return (
      (request.tenantId === undefined || tenantId === request.tenantId) &&
      (request.sessionId === undefined || sessionId === request.sessionId)
    );
  }

  /** @returns `undefined` where that fails and the answer has hits already: the next one will say so */
  async #candidatesBehind(after: string | undefined): Promise<RecordSearchPage | undefined> {
    const { source, request, time, options } = this.#parts;
    const { query, tenantId, sessionId } = request;
    const limit = source.capabilities.searchesRecords ? CANDIDATES : LISTED_CANDIDATES;
    const search = { query, tenantId, sessionId, after, limit, budgetMs: time.leftMs() };
    try {
      const page = await source.findCandidates(search, options);
      this.#notes.add(page.notes);
      return page;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (this.hits.length === 0 || error instanceof InvalidRequestError) throw error;
      return undefined;
    }
  }

  /**
   * Searches a session once more where it changed meanwhile, and leaves it out where it changed again or cannot be read.
   *
   * @returns where to go on; `undefined` behind the last record
   */
  async #searchSession(
    key: SessionKey,
    from: RecordPosition,
    isLastTry = false,
  ): Promise<RecordPosition | undefined> {
    const { request, options } = this.#parts;
    const found = this.hits.length;
    try {
      return await this.#searchOnce(key, from);
    } catch (error) {
      options.signal?.throwIfAborted();
      this.hits.length = found;
      this.#hasGotOn = false;
      if (error instanceof SourceChangedError && !isLastTry) {
        return await this.#searchSession(key, from, true);
      }
      if (request.sessionId !== undefined) throw error;
      const { problem, isFailure } = leftOutBecause(error);
      const isNamed = this.#notes.addSession(key, `${problem}, and is left out`);
      if (isNamed && isFailure) options.onFailure?.(error);
      return undefined;
    } finally {
      this.#hasGotOn = true;
    }
  }

  async #searchOnce(key: SessionKey, from: RecordPosition): Promise<RecordPosition | undefined> {
    const { pool, orders, task, request, time, options } = this.#parts;
    const isBegun = this.#ahead.has(key);
    const session = await time.waitingFor(this.#ahead.take(key));
    for await (const batch of searchedBatches(session, orders, key, from, options)) {
      if (this.#isOver(isBegun)) return batch.place;
      const most = request.limit - this.hits.length;
      const budgetMs = Math.max(LEAST_MS, time.leftMs(isBegun));
      const { hits, faults, next } = await pool.run(
        task,
        inputOf(batch, request, { most, budgetMs }),
        options,
      );
      this.#hasGotOn = true;
      if (faults.records > 0)
        this.#notes.addSession(
          key,
          `holds ${faults.records} records that made the search fail (${faults.first}), which are left out`,
        );
      const messages = hits.length === 0 ? undefined : await batch.messagesOf?.(hits.map(({ at }) => at));
      for (const [i, { at, in: kind, sequence, ...found }] of hits.entries()) {
        const messageIndex = batch.records === "messages" ? at : (messages?.[i] ?? -1);
        this.hits.push({
          tenantId: key.tenantId,
          sessionId: key.sessionId,
          in: kind,
          ...(sequence === undefined ? {} : { sequence }),
          ...(messageIndex < 0 ? {} : { messageIndex }),
          ...found,
        });
      }
      if (next !== undefined) return { ...batch.place, ...next };
    }
    return undefined;
  }
}

function inputOf(
  { records, place, batch, isNumbered }: SearchedBatch,
  { query, kinds }: SearchRequest,
  bounds: Pick<SearchBatch, "most" | "budgetMs">,
): SearchBatch {
  return {
    ...plainBatch(batch),
    query,
    kinds,
    records,
    at: place.at,
    skip: place.skip,
    isNumbered,
    ...bounds,
  };
}
