import type { SearchHit } from "../../domain/search/search-hit.js";
import type { ContentKind } from "../../domain/search/search-query.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { SearchExtent } from "../ports/record-search.js";
import type { SearchRequest } from "./search-answer.js";

/** `limit` is the maximum number of sessions. */
export type SessionSearchRequest = Omit<SearchRequest, "sessionId">;

export interface SessionWithHits extends SessionKey {
  /** As in the list of sessions. Absent without a title, or if reading it would have delayed the answer. */
  readonly title?: string;
  /** ISO 8601. Absent if reading the session would have delayed the answer. */
  readonly lastActive?: string;
  /** Number of matching records, at least 1; `countIs` states its precision. */
  readonly count: number;
  /**
   * - `exact`: number of matching records of the requested kinds, after a complete reading.
   * - `about`: number of stored lines with a spelling of the text, in texts of any kind.
   * - `least`: number of matching records before the search left the session.
   */
  readonly countIs: "exact" | "about" | "least";
  /** A record may count in several kinds. Only for an exact count. */
  readonly byKind?: { readonly [Kind in ContentKind]?: number };
  /**
   * The first hits, 3 at most. Empty if the session was not read far enough: the text may then occur only in kinds that were not
   * requested.
   */
  readonly hits: readonly SearchHit[];
}

export interface SessionHits {
  /** Newest first, as far as the source can order them. */
  readonly sessions: readonly SessionWithHits[];
  /** Searched extent since the search began, as far as the source reports it. */
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
  /** Sentences on records that could not be searched; absent if there is nothing to report. */
  readonly notes?: readonly string[];
  /** Cursor for the next answer; `null` if everything was searched: only then no other session contains the text. */
  readonly nextCursor: string | null;
}
