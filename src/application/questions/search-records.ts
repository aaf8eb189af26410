import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { SearchAnswer, SearchRequest } from "../search/search-answer.js";
import type { SearchReadOptions } from "../search/search-read-options.js";
import { type SearchParts, SearchRun } from "../search/search-run.js";
import { type SearchRecordsOptions, SearchSetup } from "../search/search-setup.js";
import { SessionSizes } from "../search/sessions-ahead.js";
import { InProcessPool } from "../threads/in-process-pool.js";

/**
 * An answer ends when its time is over or it is full, and states where the next one continues; each advances by at least one batch of
 * records. A caller that follows the cursors gets each hit once, while nothing changes.
 */
export class SearchRecords {
  readonly #setup: SearchSetup;
  readonly #sizes = new SessionSizes();

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

  /**
   * @throws InvalidRequestError for an invalid pattern or filter, and for a cursor that was not issued for this search
   * @throws SessionNotFoundError for a named session that the source does not have
   */
  async execute(request: SearchRequest, options: SearchReadOptions = {}): Promise<SearchAnswer> {
    const begin = (parts: SearchParts) => new SearchRun(parts, this.#sizes);
    const { run, frame } = await this.#setup.answer("search", request, options, begin);
    return { hits: run?.hits ?? [], ...frame };
  }
}
