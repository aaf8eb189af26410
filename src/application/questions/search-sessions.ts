import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import { ReadingPace } from "../search/reading-pace.js";
import type { SearchReadOptions } from "../search/search-read-options.js";
import type { SearchParts } from "../search/search-run.js";
import { type SearchRecordsOptions, SearchSetup } from "../search/search-setup.js";
import type { SessionHits, SessionSearchRequest } from "../search/session-search-answer.js";
import { SessionSearchRun } from "../search/session-search-run.js";
import { InProcessPool } from "../threads/in-process-pool.js";

/**
 * Searches for sessions with a text: every session in which a search of records has a hit, with the number of matching records and the
 * first hits. Each answer advances by at least one session, or by one batch of records of an unread session. A caller that follows the
 * cursors gets each session once, while nothing changes.
 */
export class SearchSessions {
  readonly #setup: SearchSetup;
  readonly #pace = new ReadingPace();

  /**
   * @param pool default parses on the host's own event loop, in slices
   * @throws TypeError for an unknown option, or one of another kind
   * @throws RangeError for a `budgetMs` below 0
   */
  constructor(
    source: InspectorDataSource,
    pool: ReadingPool = new InProcessPool(),
    options: SearchRecordsOptions = {},
  ) {
    this.#setup = new SearchSetup(source, pool, options);
  }

  /** @throws InvalidRequestError for an invalid pattern or filter, and for a cursor that was not issued for this search */
  async execute(request: SessionSearchRequest, options: SearchReadOptions = {}): Promise<SessionHits> {
    const begin = (parts: SearchParts) => new SessionSearchRun(parts, this.#pace);
    const { run, frame } = await this.#setup.answer("search sessions", request, options, begin);
    return { sessions: run?.sessions ?? [], ...frame };
  }
}
