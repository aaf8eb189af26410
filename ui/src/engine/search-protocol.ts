import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import type { ApiProblem } from "../api/api-problem.js";
import type { CountIs, SearchedExtent } from "../api/fetch-search.js";
import type { SessionRef } from "../model/address.js";
import type { PageSearch } from "../model/search.js";
import type { TenantName } from "../model/tenant-name.js";

/** Which of the page's searches: that of all sessions, by sessions; that of the session that is open; the one of the commands. */
export type SearchName = "sessions" | "address" | "commands";

/** A line of the results: a session, or something found in it. */
export type SearchLine =
  | ({
      readonly type: "session";
      readonly title?: string | undefined;
      /** ISO 8601; absent as long as it is not known. */
      readonly lastActive?: string | undefined;
      readonly tenant: TenantName & { readonly source: string | undefined };
      /** How many of its records hold what is searched for, as far as was searched. */
      readonly hits: number;
      /** How exact that number is. Absent where these are the hits that there are lines of. */
      readonly countIs?: CountIs | undefined;
    } & SessionRef)
  /** A hit that is still looked for in its session. */
  | ({ readonly type: "pending" } & SessionRef)
  /** The session holds the text, but in no kind of content that was asked for, or nothing was found in it in time. */
  | ({ readonly type: "none" } & SessionRef)
  | { readonly type: "hit"; readonly hit: SearchHit };

/** How many notes of a search are kept: those of its first answers say what is wrong. */
export const MOST_NOTES = 200;

/** A search as the engine holds it. */
export interface SearchState {
  /** Increases whenever lines may have changed. */
  readonly version: number;
  readonly request: PageSearch | undefined;
  /**
   * - `running`: more may be found.
   * - `paused`: so much was found that it stopped; `searchOn` goes on.
   * - `done`: everything was searched.
   * - `failed`: `problem` says why; `searchOn` tries again.
   */
  readonly status: "running" | "paused" | "done" | "failed";
  readonly problem: ApiProblem | undefined;
  readonly lines: number;
  /** The first page of lines. */
  readonly first: readonly SearchLine[];
  readonly hits: number;
  /** Whether so many hits is a number of lines, or a lower bound. */
  readonly isAbout: boolean;
  /** How many sessions the hits are in. */
  readonly sessions: number;
  readonly searched: SearchedExtent;
  readonly total: SearchedExtent;
  /** What could not be searched, as all answers so far say it; where there are `MOST_NOTES` there may be more. */
  readonly notes: readonly string[];
}
