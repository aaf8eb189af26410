import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import type { ApiProblem } from "../api/api-problem.js";
import type { CountIs, SearchedExtent } from "../api/fetch-search.js";
import type { SessionRef } from "../model/address.js";
import type { PageSearch } from "../model/search.js";
import type { TenantName } from "../model/tenant-name.js";

/** Searches of the page: of all sessions, grouped by session; of the open session; and of the commands. */
export type SearchName = "sessions" | "address" | "commands";

/** A line of the results: a session, or a match in it. */
export type SearchLine =
  | ({
      readonly type: "session";
      readonly title?: string | undefined;
      /** ISO 8601; absent until it is available. */
      readonly lastActive?: string | undefined;
      readonly tenant: TenantName & { readonly source: string | undefined };
      /** Number of its records that contain the search text, in the searched part. */
      readonly hits: number;
      /** Precision of that number. Absent if every counted hit has a line. */
      readonly countIs?: CountIs | undefined;
    } & SessionRef)
  /** A hit that is still looked for in its session. */
  | ({ readonly type: "pending" } & SessionRef)
  /** The session contains the text, but not in the requested kinds of content, or no hit arrived in time. */
  | ({ readonly type: "none" } & SessionRef)
  | { readonly type: "hit"; readonly hit: SearchHit };

/** Maximum number of stored notes of a search: those of its first answers describe the problem. */
export const MOST_NOTES = 200;

/** A search as the engine holds it. */
export interface SearchState {
  /** Increases whenever lines may have changed. */
  readonly version: number;
  readonly request: PageSearch | undefined;
  /**
   * - `running`: more matches may follow.
   * - `paused`: the search stopped at its limit of hits; `searchOn` continues.
   * - `done`: everything was searched.
   * - `failed`: `problem` has the reason; `searchOn` tries again.
   */
  readonly status: "running" | "paused" | "done" | "failed";
  readonly problem: ApiProblem | undefined;
  readonly lines: number;
  /** The first page of lines. */
  readonly first: readonly SearchLine[];
  readonly hits: number;
  /** True if `hits` is not exact: it counts lines, or is a lower bound. */
  readonly isAbout: boolean;
  /** Number of sessions with hits. */
  readonly sessions: number;
  readonly searched: SearchedExtent;
  readonly total: SearchedExtent;
  /** Notes of all answers so far about content that could not be searched. At `MOST_NOTES` entries there may be more. */
  readonly notes: readonly string[];
}
