import type { SearchHit } from "../../domain/search/search-hit.js";
import type { ContentKind } from "../../domain/search/search-query.js";
import type { SearchExtent } from "../ports/record-search.js";
import type { SearchRequest } from "./search-answer.js";

/** As of a search of records; `limit` is how many sessions there are at most. */
export type SessionSearchRequest = Omit<SearchRequest, "sessionId">;

/** A session in which a text was found. */
export interface SessionWithHits {
  readonly tenantId: string;
  readonly sessionId: string;
  /** As in the list of sessions. Absent where it has none, or where reading it would have kept the answer waiting. */
  readonly title?: string;
  /** ISO 8601, as in the list of sessions. Absent where reading the session would have kept the answer waiting. */
  readonly lastActive?: string;
  /** How many of its records hold the text, at least 1, as `countIs` says. */
  readonly count: number;
  /**
   * - `exact`: all of it was read; so many records hold the text in the kinds that were asked for.
   * - `about`: so many stored lines hold a spelling of the text, in texts of any kind: no more than its bytes was looked at for that.
   * - `least`: so many records were found before the session was left; there may be more.
   */
  readonly countIs: "exact" | "about" | "least";
  /** How many of its records hold the text in each kind; a record may count in several. Only of an exact count. */
  readonly byKind?: { readonly [Kind in ContentKind]?: number };
  /**
   * The first hits, 3 at most. Empty where the session was not read, or not far enough to find one: then the text may stand in other kinds
   * than were asked for alone. A search of its records says.
   */
  readonly hits: readonly SearchHit[];
}

/** In which sessions a text was found so far. */
export interface SessionsFound {
  /** Those of which something was written last come first, as far as the source knows. */
  readonly sessions: readonly SessionWithHits[];
  /** What was looked at since the search began, as far as the source says. */
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
  /** What could not be looked at, in sentences; absent where there is nothing to say. */
  readonly notes?: readonly string[];
  /** Where to go on; `null` where everything was searched: only then no other session holds it. */
  readonly nextCursor: string | null;
}
