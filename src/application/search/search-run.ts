import { plainBatch } from "../../domain/json/record-batch.js";
import type { SearchHit } from "../../domain/search/search-hit.js";
import type { SearchQuery } from "../../domain/search/search-query.js";
import { SessionNotFoundError, SourceChangedError, SourceUnavailableError } from "../errors.js";
import type { TraceOrders } from "../explain/trace-orders.js";
import type { ReadingPool, ReadingTask } from "../ports/reading-pool.js";
import type { SearchExtent } from "../ports/record-search.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SessionKey } from "../ports/session-store.js";
import { openSession } from "../sources/scope.js";
import type { SearchRequest } from "./search-answer.js";
import { type FoundInBatch, SEARCH_BATCH, type SearchBatch } from "./search-batch.js";
import type { RecordPosition, SearchCursor } from "./search-cursor.js";
import { BEGINNING, type SearchedBatch, searchedBatches } from "./search-session.js";

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
  /** How much of the answer's time is left; 0 where it is over. */
  readonly leftMs: () => number;
  readonly options: ReadOptions;
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

/** One answer of a search, while it is made: from a place on, session after session, until it is full or its time is over. */
export class SearchRun {
  readonly hits: SearchHit[] = [];
  readonly notes: string[] = [];
  readonly #parts: SearchParts;
  /** Whether the next answer would begin further on than this one. */
  #hasGotOn = false;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  async from({ after, within }: SearchCursor): Promise<SearchedSoFar> {
    let extents: Pick<SearchedSoFar, "searched" | "total"> = { searched: {}, total: {} };
    if (within !== undefined && this.#isAskedFor(within)) {
      extents = { searched: within.before, total: within.total };
      const place = await this.#searchSession(within, within.place);
      if (place !== undefined) return { next: { after, within: { ...within, place } }, ...extents };
    }
    for (;;) {
      if (this.#isOver()) return { next: { after }, ...extents };
      const page = await this.#candidatesBehind(after);
      const { total } = page;
      for (const candidate of page.candidates) {
        const { tenantId, sessionId, before } = candidate;
        if (this.#isOver()) return { next: { after }, searched: before, total };
        after = candidate.place;
        if (!this.#isAskedFor(candidate)) continue;
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

  #isOver(): boolean {
    return this.hits.length >= this.#parts.request.limit || (this.#hasGotOn && this.#parts.leftMs() === 0);
  }

  /** A cursor that was made up may name any session, and a source may give any. */
  #isAskedFor({ tenantId, sessionId }: SessionKey): boolean {
    const { request } = this.#parts;
    return (
      (request.tenantId === undefined || tenantId === request.tenantId) &&
      (request.sessionId === undefined || sessionId === request.sessionId)
    );
  }

  async #candidatesBehind(after: string | undefined) {
    const { source, request, leftMs, options } = this.#parts;
    const { query, tenantId, sessionId } = request;
    const limit = source.capabilities.searchesRecords ? CANDIDATES : LISTED_CANDIDATES;
    const search = { query, tenantId, sessionId, after, limit, budgetMs: leftMs() };
    const page = await source.findCandidates(search, options);
    for (const note of page.notes ?? []) if (!this.notes.includes(note)) this.notes.push(note);
    return page;
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
    const found = this.hits.length;
    try {
      return await this.#searchOnce(key, from);
    } catch (error) {
      this.hits.length = found;
      this.#hasGotOn = false;
      if (error instanceof SourceChangedError && !isLastTry) {
        return await this.#searchSession(key, from, true);
      }
      const problem = problemOf(error);
      if (problem === undefined || this.#parts.request.sessionId !== undefined) throw error;
      this.#note(key, `${problem}, and is left out`);
      return undefined;
    } finally {
      this.#hasGotOn = true;
    }
  }

  #note({ tenantId, sessionId }: SessionKey, problem: string): void {
    this.notes.push(`Session "${sessionId}" of tenant "${tenantId}" ${problem}.`);
  }

  async #searchOnce(key: SessionKey, from: RecordPosition): Promise<RecordPosition | undefined> {
    const { source, pool, orders, task, request, options } = this.#parts;
    const session = await openSession(source, key, options);
    for await (const batch of searchedBatches(session, orders, key, from, options)) {
      if (this.#isOver()) return batch.place;
      const most = request.limit - this.hits.length;
      const { hits, faults, next } = await pool.run(task, inputOf(batch, request, most), options);
      this.#hasGotOn = true;
      if (faults.records > 0)
        this.#note(
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

function problemOf(error: unknown): string | undefined {
  if (error instanceof SessionNotFoundError) return "is gone";
  if (error instanceof SourceChangedError) return "changed while it was searched";
  return error instanceof SourceUnavailableError ? "cannot be read just now" : undefined;
}

function inputOf(
  { records, place, batch, isNumbered }: SearchedBatch,
  { query, kinds }: SearchRequest,
  most: number,
): SearchBatch {
  return {
    ...plainBatch(batch),
    query,
    kinds,
    records,
    at: place.at,
    skip: place.skip,
    isNumbered,
    most,
  };
}
