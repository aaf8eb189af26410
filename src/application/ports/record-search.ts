import type { SearchQuery } from "../../domain/search/search-query.js";
import type { SessionSortKey } from "../../domain/session/session.js";

/** Sessions, and how much is stored of them; absent is what the source does not know. */
export interface SearchExtent {
  readonly sessions?: number | undefined;
  readonly bytes?: number | undefined;
}

/** A search for a text in sessions, with its limits. */
export interface RecordSearch {
  readonly query: SearchQuery;
  readonly tenantId?: string | undefined;
  /** Only sessions of these tenants, compared exactly. Sessions of other tenants are dropped from the result. */
  readonly tenants?: readonly string[] | undefined;
  /** Only this session, of `tenantId`. */
  readonly sessionId?: string | undefined;
  /** The `place` of a candidate, or the `next` of an earlier answer: only sessions after it. Default is all. */
  readonly after?: string | undefined;
  /** Maximum number of candidates. */
  readonly limit: number;
  /** After about this many milliseconds the source returns its results, once it has examined at least one session. */
  readonly budgetMs: number;
  /** True if candidates should have their `matches`, for a source that can count them while searching. Default is false. */
  readonly countsMatches?: boolean | undefined;
}

/** Maximum length of a place: the place of a combined source contains those of its sources, each with JSON escapes. */
export const LONGEST_PLACE = 6_000;

/** A session that may hold what is looked for. */
export interface SearchCandidate extends Pick<SessionSortKey, "tenantId" | "sessionId"> {
  /** Its position in the source's order, as the source's own text (at most 2,000 characters). */
  readonly place: string;
  /** Extent of the sessions before it in that order. */
  readonly before: SearchExtent;
  /**
   * About how many of its stored lines hold a spelling of what is looked for, at least 1: in texts of any kind, and of a regular expression a
   * text that it requires. Absent where that was not counted.
   */
  readonly matches?: number | undefined;
  /** Stored size of it; absent if the source does not provide it. */
  readonly bytes?: number | undefined;
}

export interface RecordSearchPage {
  /** In the source's order: newest first, as far as this is possible without reading everything. */
  readonly candidates: readonly SearchCandidate[];
  /**
   * Position to continue from; `undefined` after the last session. The caller receives it, so it must reveal nothing about other tenants.
   */
  readonly next: string | undefined;
  /** Extent of the search so far: everything before `next`. */
  readonly searched: SearchExtent;
  /** All that is to be looked at. */
  readonly total: SearchExtent;
  /** Parts that could not be searched, or a missing index; a sentence each, without secrets and paths. */
  readonly notes?: readonly string[] | undefined;
}
