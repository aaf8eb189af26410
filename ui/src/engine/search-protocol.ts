import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import type { ApiProblem } from "../api/api-problem.js";
import type { SearchedExtent } from "../api/fetch-search.js";
import type { SessionRef } from "../model/address.js";
import type { PageSearch } from "../model/search.js";
import type { TenantName } from "../model/tenant-name.js";

/** Which of the page's searches: the one that its address names, or the one of the commands. */
export type SearchName = "address" | "commands";

/** A line of the results: a session, or something found in it. */
export type SearchLine =
  | ({
      readonly type: "session";
      readonly title: string | undefined;
      readonly tenant: TenantName & { readonly source: string | undefined };
      /** How many of its records hold what is searched for, as far as was searched. */
      readonly hits: number;
    } & SessionRef)
  | { readonly type: "hit"; readonly hit: SearchHit };

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
  /** How many sessions the hits are in. */
  readonly sessions: number;
  readonly searched: SearchedExtent;
  readonly total: SearchedExtent;
  readonly notes: readonly string[];
}
