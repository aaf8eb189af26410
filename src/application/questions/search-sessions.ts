import { checkOptions } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { TraceOrders } from "../explain/trace-orders.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { SessionSource } from "../ports/session-source.js";
import { filterParts, MeantSessions, stillReading } from "../search/meant-sessions.js";
import { ReadingPace } from "../search/reading-pace.js";
import { decodeSearchCursor, encodeSearchCursor } from "../search/search-cursor.js";
import type { SearchReadOptions } from "../search/search-read-options.js";
import { SearchTime } from "../search/search-time.js";
import { taskFor } from "../search/search-visit.js";
import type { SessionSearchRequest, SessionsFound } from "../search/session-search-answer.js";
import { SessionSearchRun } from "../search/session-search-run.js";
import { lift } from "../sources/lift.js";
import { scope } from "../sources/scope.js";
import { InProcessPool } from "../threads/in-process-pool.js";
import { SEARCH_OPTIONS, type SearchRecordsOptions } from "./search-records.js";

/**
 * Finds the sessions that hold a text, each with how many of its records do and the first hits. Every session in which a search of
 * records finds something is among them. An answer ends when its time is over or it is full, and says where the next one goes on; each
 * gets on by at least a session, or by a batch of records where a session has to be read to be known. Who follows the cursors gets each
 * session once, while nothing changes.
 */
export class SearchSessions {
  readonly #source: SessionSource;
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #budgetMs: number;
  readonly #now: () => number;
  readonly #meant: MeantSessions;
  readonly #pace = new ReadingPace();

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

  /** @throws InvalidRequestError for a pattern or a filter that is none, and for a cursor that was not issued for this search */
  async execute(request: SessionSearchRequest, options: SearchReadOptions = {}): Promise<SessionsFound> {
    const { query, tenantId, kinds, cursor, tenants = "all" } = request;
    const time = new SearchTime(this.#budgetMs, this.#now);
    const list = JSON.stringify([
      "search sessions",
      query,
      tenantId,
      [...kinds].sort(),
      ...filterParts(request),
    ]);
    const begin = cursor === undefined ? {} : decodeSearchCursor(list, cursor);
    const task = await taskFor(query);
    const source = scope(this.#source, tenants);
    const meant = await this.#meant.of(source, request, this.#budgetMs, options);
    const waiting = stillReading(meant, begin);
    if (waiting !== undefined)
      return { sessions: [], searched: {}, total: {}, nextCursor: encodeSearchCursor(list, waiting) };
    const parts = { source, pool: this.#pool, orders: this.#orders, task, request, time, meant, options };
    const run = new SessionSearchRun(parts, this.#pace);
    const { next, searched, total } = await run.from(begin);
    const { notes, sessions } = run;
    return {
      sessions,
      searched,
      total,
      ...(notes.length === 0 ? {} : { notes }),
      nextCursor: next === undefined ? null : encodeSearchCursor(list, next),
    };
  }
}
