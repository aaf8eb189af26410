import type { RecordSearch, RecordSearchPage } from "../../../application/ports/record-search.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import { runInSlices } from "../../../application/threads/slices.js";
import { bytePatternOf } from "./byte-pattern.js";
import { type Scanned, type Searchable, scanInOrder } from "./scan-in-order.js";
import { type SearchedSession, SearchOrder } from "./search-order.js";

const MOST_NOTES = 20;

const NO_TEXT =
  "The pattern has no fixed text, so the files cannot be searched directly: every session is read.";

/**
 * Newest first. A session that is written during a search moves to the front, where it is not examined: the last page reports this.
 * @param sessions all current sessions, in the order of `searchOrder`
 * @throws InvalidRequestError if `search.after` is not a valid position
 */
export async function searchFiles(
  searchable: Searchable,
  sessions: readonly SearchedSession[],
  search: RecordSearch,
  options: ReadOptions = {},
): Promise<RecordSearchPage> {
  const { query, limit, budgetMs, after } = search;
  const until = Date.now() + budgetMs;
  const order = await runInSlices(SearchOrder.of(sessions, search), options.signal);
  const hasText = bytePatternOf(query) !== undefined;
  const counts = hasText && searchable.counts && search.countsMatches === true;
  const { matches, end, problems } = hasText
    ? await scanInOrder(order.sessions, order.first, { searchable, query, limit, until, counts }, options)
    : nextOnes(order, limit);
  const isComplete = end === order.sessions.length;
  const notes = [
    ...(hasText ? [] : [NO_TEXT]),
    ...shortened(problems),
    ...(isComplete && after !== undefined && order.moved > 0 ? [movedNote(order.moved)] : []),
  ];
  return {
    candidates: matches.map(({ index, matches }) =>
      counts ? { ...order.candidateAt(index), matches } : order.candidateAt(index),
    ),
    next: isComplete ? undefined : order.placeOf(end - 1),
    searched: order.extentTo(end),
    total: order.extentTo(order.sessions.length),
    notes: notes.length > 0 ? notes : undefined,
  };
}

/**
 * Starts at once with sessions of some seconds ago. If the first page is the last, the folder is scanned again; a longer search reports
 * at its end which sessions were written meanwhile.
 * @param find searches the current sessions, or those of some seconds ago
 */
export async function newestAtLast(
  { after }: RecordSearch,
  find: (isNew: boolean) => Promise<RecordSearchPage>,
): Promise<RecordSearchPage> {
  const page = await find(false);
  return after === undefined && page.next === undefined ? find(true) : page;
}

/** Without a byte test every session may match. */
function nextOnes({ sessions, first }: SearchOrder, limit: number): Scanned {
  const end = Math.min(sessions.length, first + limit);
  const matches = Array.from({ length: end - first }, (_, i) => ({ index: first + i, matches: 1 }));
  return { matches, end, problems: [] };
}

function shortened(problems: readonly string[]): string[] {
  const others = problems.length - MOST_NOTES;
  return others > 0
    ? [...problems.slice(0, MOST_NOTES), `${others} more files could not be searched.`]
    : [...problems];
}

function movedNote(sessions: number): string {
  const which = sessions === 1 ? "1 session" : `${sessions} sessions`;
  return `${which} changed during the search, and may have more matches. Search again to include them.`;
}
