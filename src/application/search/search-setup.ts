import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { FUNCTION, kindOf, numberFrom } from "../../domain/options/option-kinds.js";
import { TraceOrders } from "../explain/trace-orders.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { SessionSource } from "../ports/session-source.js";
import { FilteredSessions } from "../sources/filtered-sessions.js";
import { lift } from "../sources/lift.js";
import { openSession, scope } from "../sources/scope.js";
import { filterParts, MeantSessions, stillReading } from "./meant-sessions.js";
import type { SearchAnswer, SearchRequest } from "./search-answer.js";
import { decodeSearchCursor, encodeSearchCursor, type SearchCursor } from "./search-cursor.js";
import type { SearchReadOptions } from "./search-read-options.js";
import type { SearchedSoFar, SearchParts } from "./search-run.js";
import { SearchTime } from "./search-time.js";
import { taskFor } from "./search-visit.js";

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

const SEARCH_OPTIONS = {
  orders: kindOf("a TraceOrders", (value) => value instanceof TraceOrders),
  budgetMs: numberFrom(0, "a number of milliseconds"),
  now: FUNCTION,
  filtered: kindOf("a FilteredSessions", (value) => value instanceof FilteredSessions),
} satisfies OptionTable<SearchRecordsOptions>;

/** One answer while it is made. */
interface SearchRunner {
  readonly notes: readonly string[];
  from(begin: SearchCursor): Promise<SearchedSoFar>;
}

/** What an answer says beside what was found. */
type AnswerFrame = Omit<SearchAnswer, "hits">;

/** What searches of an inspector have in common, whatever they answer with: their parts, their cursors, the wait for what a filter asks of sessions. */
export class SearchSetup {
  readonly #source: SessionSource;
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #budgetMs: number;
  readonly #now: () => number;
  readonly #meant: MeantSessions;

  /**
   * @throws TypeError for an option that there is not, or whose value is of another kind
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
    this.#meant = new MeantSessions(settings.filtered);
  }

  /**
   * @param name of the search: a cursor goes on with the same one only
   * @param begin begins an answer. It is not called where the answer has to wait for sessions that the filter may mean
   * @throws InvalidRequestError for a pattern or a filter that is none, and for a cursor that was not issued for this search
   * @throws SessionNotFoundError for a named session that the source does not know
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
    const meant = await this.#meant.of(source, request, this.#budgetMs, options);
    const waiting = stillReading(meant, from);
    if (waiting !== undefined) {
      const frame = { searched: {}, total: {}, nextCursor: encodeSearchCursor(list, waiting) };
      return { run: undefined, frame };
    }
    const run = begin({
      ...{ source, pool: this.#pool, orders: this.#orders },
      ...{ task, request, time, meant, options },
    });
    const { next, searched, total } = await run.from(from);
    const { notes } = run;
    const nextCursor = next === undefined ? null : encodeSearchCursor(list, next);
    return { run, frame: { searched, total, ...(notes.length === 0 ? {} : { notes }), nextCursor } };
  }
}
