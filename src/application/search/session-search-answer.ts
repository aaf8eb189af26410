import type { SearchHit } from "../../domain/search/search-hit.js";
import type { ContentKind } from "../../domain/search/search-query.js";
import type { SearchExtent } from "../ports/record-search.js";
import type { SearchRequest } from "./search-answer.js";

/** As of a search of records; `limit` is how many sessions there are at most. */
export type SessionSearchRequest = Omit<SearchRequest, "sessionId">;

/** A session that contains the text. */
export interface SessionWithHits {
  readonly tenantId: string;
  readonly sessionId: string;
  /** Title, as in the list of sessions. Absent if the session has no title, or if reading it would have delayed the answer. */
  readonly title?: string;
  /** ISO 8601, as in the list of sessions. Absent if reading the session would have delayed the answer. */
  readonly lastActive?: string;
  /** Number of its records that contain the text, at least 1; `countIs` states how exact it is. */
  readonly count: number;
  /**
   * - `exact`: the session was read completely; this number of records contain the text in the requested kinds.
   * - `about`: this number of stored lines contain a spelling of the text, in texts of any kind. Only the bytes were searched.
   * - `least`: this number of records matched before the search left the session; there may be more.
   */
  readonly countIs: "exact" | "about" | "least";
  /** Number of its records that contain the text in each kind; a record may count in several. Only for an exact count. */
  readonly byKind?: { readonly [Kind in ContentKind]?: number };
  /**
   * The first hits, 3 at most. Empty if the session was not read, or not far enough for a hit. The text may then occur only in kinds that
   * were not requested; a search of its records decides this.
   */
  readonly hits: readonly SearchHit[];
}

/** The matching sessions so far. */
export interface SessionsFound {
  /** The most recently written sessions come first, as far as the source can order them. */
  readonly sessions: readonly SessionWithHits[];
  /** Searched extent since the search began, as far as the source reports it. */
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
  /** Sentences on records that could not be searched; absent if there is nothing to report. */
  readonly notes?: readonly string[];
  /** Cursor for the next answer; `null` if everything was searched: only then no other session contains the text. */
  readonly nextCursor: string | null;
}
