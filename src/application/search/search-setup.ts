import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { FUNCTION, kindOf, numberFrom } from "../../domain/options/option-kinds.js";
import { FilteredSessions } from "../listing/filtered-sessions.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { SessionSource } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";
import { TraceOrders } from "../records/trace-orders.js";
import { lift } from "../sources/lift.js";
import { scope } from "../sources/scope.js";
import type { SearchAnswer, SearchRequest } from "./search-answer.js";
import { decodeSearchCursor, encodeSearchCursor, type SearchCursor } from "./search-cursor.js";
import type { SearchReadOptions } from "./search-read-options.js";
import type { SearchedSoFar, SearchParts } from "./search-run.js";
import { SearchTime } from "./search-time.js";
import { taskFor } from "./search-visit.js";
import { filterParts, SelectedSessions, stillReading } from "./selected-sessions.js";

export interface SearchRecordsOptions {
  readonly orders?: TraceOrders | undefined;
  /** Approximate time in milliseconds after which an answer ends with the hits so far. Default is 300. */
  readonly budgetMs?: number | undefined;
  readonly now?: (() => number) | undefined;
  readonly filtered?: FilteredSessions | undefined;
}

const SEARCH_OPTIONS = {
  orders: kindOf("a TraceOrders", (value) => value instanceof TraceOrders),
  budgetMs: numberFrom(0, "a number of milliseconds"),
  now: FUNCTION,
  filtered: kindOf("a FilteredSessions", (value) => value instanceof FilteredSessions),
} satisfies OptionTable<SearchRecordsOptions>;

interface SearchRunner {
  readonly notes: readonly string[];
  from(begin: SearchCursor): Promise<SearchedSoFar>;
}

type AnswerFrame = Omit<SearchAnswer, "hits">;

export class SearchSetup {
  readonly #source: SessionSource;
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #budgetMs: number;
  readonly #now: () => number;
  readonly #selected: SelectedSessions;

  /**
   * @throws TypeError for an unknown option, or one of another kind
   * @throws RangeError for a `budgetMs` below 0
   */
  constructor(source: InspectorDataSource, pool: ReadingPool, options: SearchRecordsOptions) {
    const settings = checkOptions(SEARCH_OPTIONS, options);
    const { orders = new TraceOrders(pool), budgetMs = 300, now = () => performance.now() } = settings;
    this.#source = lift(source);
    this.#pool = pool;
    this.#orders = orders;
    this.#budgetMs = budgetMs;
    this.#now = answeringAtOnce("now", now);
    this.#selected = new SelectedSessions(settings.filtered);
  }

  /**
   * @param name name of the search: a cursor continues only the same search
   * @param begin is not called if the answer has to wait for sessions that the filter may match
   * @throws InvalidRequestError for an invalid pattern or filter, and for a cursor that was not issued for this search
   * @throws SessionNotFoundError for a named session that the source does not have
   */
  async answer<Run extends SearchRunner>(
    name: string,
    request: SearchRequest,
    options: SearchReadOptions,
    begin: (parts: SearchParts) => Run,
  ): Promise<{ readonly run: Run | undefined; readonly frame: AnswerFrame }> {
    const { query, tenantId, sessionId, kinds, cursor, tenants = "all" } = request;
    const time = new SearchTime(this.#budgetMs, this.#now);
    const parts = [name, query, tenantId, sessionId, [...kinds].sort(), ...filterParts(request)];
    const list = JSON.stringify(parts);
    const from = cursor === undefined ? {} : decodeSearchCursor(list, cursor);
    const task = await taskFor(query);
    const source = scope(this.#source, tenants);
    if (sessionId !== undefined) await openSession(source, { tenantId: tenantId ?? "", sessionId }, options);
    const selection = await this.#selected.of(source, request, this.#budgetMs, options);
    const waiting = stillReading(selection, from);
    if (waiting !== undefined) {
      const frame = { searched: {}, total: {}, nextCursor: encodeSearchCursor(list, waiting) };
      return { run: undefined, frame };
    }
    const run = begin({
      ...{ source, pool: this.#pool, orders: this.#orders },
      ...{ task, request, time, selection, options },
    });
    const { next, searched, total } = await run.from(from);
    const { notes } = run;
    const nextCursor = next === undefined ? null : encodeSearchCursor(list, next);
    return { run, frame: { searched, total, ...(notes.length === 0 ? {} : { notes }), nextCursor } };
  }
}
