import { plainBatch } from "../../domain/json/record-batch.js";
import type { SearchHit } from "../../domain/search/search-hit.js";
import type { SearchQuery } from "../../domain/search/search-query.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { ReadingPool, ReadingTask } from "../ports/reading-pool.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { RecordPosition } from "../records/record-position.js";
import { type SearchedBatch, searchedBatches } from "../records/session-records.js";
import type { TraceOrders } from "../records/trace-orders.js";
import type { SearchRequest } from "./search-answer.js";
import { type BatchResult, SEARCH_BATCH, type SearchBatch } from "./search-batch.js";
import type { SearchReadOptions } from "./search-read-options.js";

export type SearchTask = ReadingTask<SearchBatch, BatchResult>;

/** @throws InvalidRequestError for an invalid pattern */
export async function taskFor({ kind, text }: SearchQuery): Promise<SearchTask> {
  if (kind === "text") return SEARCH_BATCH;
  const { patternFinder, SEARCH_BATCH_FOR_PATTERN } = await import("./search-batch-for-pattern.js");
  patternFinder(text);
  return SEARCH_BATCH_FOR_PATTERN;
}

export interface VisitParts {
  readonly pool: ReadingPool;
  readonly orders: TraceOrders;
  readonly task: SearchTask;
  readonly request: Pick<SearchRequest, "query" | "kinds">;
  readonly options: SearchReadOptions;
}

export interface SessionVisit {
  /** `undefined` to leave the session before the next batch. */
  bounds(): Pick<SearchBatch, "most" | "budgetMs"> | undefined;
  /** @param faults number of failed records, and the first reason */
  take(hits: readonly SearchHit[], faults: BatchResult["faults"]): void;
}

/** @returns the position to continue at; `undefined` after the last record */
export async function visitSession(
  session: SessionSnapshot,
  key: SessionKey,
  from: RecordPosition,
  { pool, orders, task, request, options }: VisitParts,
  visit: SessionVisit,
): Promise<RecordPosition | undefined> {
  const { tenantId, sessionId } = key;
  for await (const batch of searchedBatches(session, orders, key, from, options)) {
    const bounds = visit.bounds();
    if (bounds === undefined) return batch.place;
    const { hits, faults, next } = await pool.run(task, inputOf(batch, request, bounds), options);
    const messages = hits.length === 0 ? undefined : await batch.messagesOf?.(hits.map(({ at }) => at));
    const searchHits = hits.map(({ at, in: kind, sequence, ...hit }, i): SearchHit => {
      const messageIndex = batch.records === "messages" ? at : (messages?.[i] ?? -1);
      return {
        tenantId,
        sessionId,
        in: kind,
        ...(sequence === undefined ? {} : { sequence }),
        ...(messageIndex < 0 ? {} : { messageIndex }),
        ...hit,
      };
    });
    visit.take(searchHits, faults);
    if (next !== undefined) return { ...batch.place, ...next };
  }
  return undefined;
}

function inputOf(
  { records, place, batch, isNumbered }: SearchedBatch,
  { query, kinds }: VisitParts["request"],
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
