import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { FUNCTION, kindOf, numberFrom } from "../../domain/options/option-kinds.js";
import { TraceOrders } from "../explain/trace-orders.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { SessionSource } from "../ports/session-source.js";
import { filterParts, MeantSessions, stillReading } from "../search/meant-sessions.js";
import type { SearchAnswer, SearchRequest } from "../search/search-answer.js";
import { decodeSearchCursor, encodeSearchCursor } from "../search/search-cursor.js";
import type { SearchReadOptions } from "../search/search-read-options.js";
import { SearchRun } from "../search/search-run.js";
import { SearchTime } from "../search/search-time.js";
import { taskFor } from "../search/search-visit.js";
import { SessionSizes } from "../search/sessions-ahead.js";
import { FilteredSessions } from "../sources/filtered-sessions.js";
import { lift } from "../sources/lift.js";
import { openSession, scope } from "../sources/scope.js";
import { InProcessPool } from "../threads/in-process-pool.js";

export interface SearchRecordsOptions {
  /** The orders of traces that are known already. Default is none. */
  readonly orders?: TraceOrders | undefined;
  /** After about so many milliseconds an answer ends with what was found. Default is 300. */
  readonly budgetMs?: number | undefined;
  /** A clock, in milliseconds. Default is that of the process. */
  readonly now?: (() => number) | undefined;
  /** Finds the sessions that a filter means. Default reads on the host's own event loop, in slices. */
  readonly filtered?: FilteredSessions | undefined;
}

export const SEARCH_OPTIONS = {
  orders: kindOf("a TraceOrders", (value) => value instanceof TraceOrders),
  budgetMs: numberFrom(0, "a number of milliseconds"),
  now: FUNCTION,
  filtered: kindOf("a FilteredSessions", (value) => value instanceof FilteredSessions),
} satisfies OptionTable<SearchRecordsOptions>;

/**
 * Finds a text in the records of sessions. An answer ends when its time is over or it is full, and says where the next one goes on;
 * each gets on by at least a batch of records. Who follows the cursors gets each hit once, while nothing changes.
 */
export class SearchRecords {
  readonly #source: SessionSource;
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #budgetMs: number;
  readonly #now: () => number;
  readonly #meant: MeantSessions;
  readonly #sizes = new SessionSizes();

  /**
   * @param pool where records are parsed. Default is the host's own event loop, in slices
   * @throws TypeError for an option that there is not, or whose value is of another kind
   * @throws RangeError for a `budgetMs` below 0
   */
  constructor(
    source: InspectorDataSource,
    pool: ReadingPool = new InProcessPool(),
    options: SearchRecordsOptions = {},
  ) {
    checkOptions(SEARCH_OPTIONS, options);
    const { orders = new TraceOrders(pool), budgetMs = 300, now = () => performance.now() } = options;
    this.#source = lift(source);
    this.#pool = pool;
    this.#orders = orders;
    this.#budgetMs = budgetMs;
    this.#now = answeringAtOnce("now", now);
    this.#meant = new MeantSessions(options.filtered);
  }

  /**
   * @throws InvalidRequestError for a pattern or a filter that is none, and for a cursor that was not issued for this search
   * @throws SessionNotFoundError for a named session that the source does not know
   */
  async execute(request: SearchRequest, options: SearchReadOptions = {}): Promise<SearchAnswer> {
    const { query, tenantId = "", sessionId, kinds, cursor, tenants = "all" } = request;
    const time = new SearchTime(this.#budgetMs, this.#now);
    const list = JSON.stringify([
      "search",
      query,
      request.tenantId,
      sessionId,
      [...kinds].sort(),
      ...filterParts(request),
    ]);
    const begin = cursor === undefined ? {} : decodeSearchCursor(list, cursor);
    const task = await taskFor(query);
    const source = scope(this.#source, tenants);
    if (sessionId !== undefined) await openSession(source, { tenantId, sessionId }, options);

    const meant = await this.#meant.of(source, request, this.#budgetMs, options);
    const waiting = stillReading(meant, begin);
    if (waiting !== undefined)
      return { hits: [], searched: {}, total: {}, nextCursor: encodeSearchCursor(list, waiting) };
    const parts = { source, pool: this.#pool, orders: this.#orders, task, request, time, meant, options };
    const run = new SearchRun(parts, this.#sizes);
    const { next, searched, total } = await run.from(begin);
    const { notes } = run;
    return {
      hits: run.hits,
      searched,
      total,
      ...(notes.length === 0 ? {} : { notes }),
      nextCursor: next === undefined ? null : encodeSearchCursor(list, next),
    };
  }
}
