import type { SearchQuery } from "../../domain/search/search-query.js";
import type { SessionKey } from "../../domain/session/session-key.js";

/** Absent members are those that the source does not know. */
export interface SearchExtent {
  readonly sessions?: number | undefined;
  readonly bytes?: number | undefined;
}

export interface RecordSearch {
  readonly query: SearchQuery;
  readonly tenantId?: string | undefined;
  /** Only sessions of these tenants, compared exactly. Sessions of other tenants are dropped from the result. */
  readonly tenants?: readonly string[] | undefined;
  /** Only this session, of `tenantId`. */
  readonly sessionId?: string | undefined;
  /** The `place` of a candidate, or the `next` of an earlier answer: only sessions after it. Default is all. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** After about this many milliseconds the source returns its results, once it has examined at least one session. */
  readonly budgetMs: number;
  /** True if candidates should have their `matches`, for a source that can count them while searching. Default is false. */
  readonly countsMatches?: boolean | undefined;
}

/** Maximum length of a place: the place of a combined source contains those of its sources, each with JSON escapes. */
export const LONGEST_PLACE = 6_000;

export interface SearchCandidate extends SessionKey {
  /** Its position in the source's order, as the source's own text (at most 2,000 characters). */
  readonly place: string;
  /** Extent of the sessions before it in that order. */
  readonly before: SearchExtent;
  /**
   * Approximate number of stored lines with a spelling of the query, or with a text that its regular expression requires; at least 1.
   * Absent if it was not counted.
   */
  readonly matches?: number | undefined;
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
  readonly total: SearchExtent;
  /** Parts that could not be searched, or a missing index; a sentence each, without secrets and paths. */
  readonly notes?: readonly string[] | undefined;
}
