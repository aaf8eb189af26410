import type { SearchQuery } from "../../domain/search/search-query.js";
import type { SessionSortKey } from "../../domain/session/session.js";

/** Sessions, and how much is stored of them; absent is what the source does not know. */
export interface SearchExtent {
  readonly sessions?: number | undefined;
  readonly bytes?: number | undefined;
}

/** In which sessions a text is looked for, and how long. */
export interface RecordSearch {
  readonly query: SearchQuery;
  readonly tenantId?: string | undefined;
  /** Only sessions of one of these tenants, compared exactly. What a source gives of others is not shown. */
  readonly tenants?: readonly string[] | undefined;
  /** Only this session, of `tenantId`. */
  readonly sessionId?: string | undefined;
  /** The `place` of a candidate, or the `next` of an earlier answer: only sessions behind it. Default is all. */
  readonly after?: string | undefined;
  /** How many candidates at most. */
  readonly limit: number;
  /** After about so many milliseconds the source gives what it has, as soon as it has got on by at least one session. */
  readonly budgetMs: number;
  /** Whether candidates are wanted with their `matches`, where the source can count them as it looks. Default is that they are not. */
  readonly countsMatches?: boolean | undefined;
}

/** How long a place can be at most: one of a combination holds places of its sources, each with what JSON escapes in it. */
export const LONGEST_PLACE = 6_000;

/** A session that may hold what is looked for. */
export interface SearchCandidate extends Pick<SessionSortKey, "tenantId" | "sessionId"> {
  /** Where it stands in the source's order, as the source's own text (at most 2,000 characters). */
  readonly place: string;
  /** What lies before it in that order. */
  readonly before: SearchExtent;
  /**
   * About how many of its stored lines hold a spelling of what is looked for, at least 1: in texts of any kind, and of a regular expression a
   * text that it requires. Absent where that was not counted.
   */
  readonly matches?: number | undefined;
  /** How much is stored of it; absent where the source does not know. */
  readonly bytes?: number | undefined;
}

export interface RecordSearchPage {
  /** In the source's order: newest first, as far as can be known without reading everything. */
  readonly candidates: readonly SearchCandidate[];
  /** Where to go on; `undefined` where every session was looked at. The caller sees it: nothing of tenants who were not asked for. */
  readonly next: string | undefined;
  /** What has been looked at since the search began: all that lies before `next`. */
  readonly searched: SearchExtent;
  /** All that is to be looked at. */
  readonly total: SearchExtent;
  /** What could not be looked at, or that no index helps; a sentence each, without secrets and paths. */
  readonly notes?: readonly string[] | undefined;
}
