import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import type { ApiProblem } from "../../api/api-problem.js";
import type { CountIs, SearchedExtent } from "../../api/fetch-search.js";
import type { PageSearch } from "../../model/search/search.js";
import type { TenantName } from "../../model/text/tenant-name.js";

/** All sessions, the open session, and the commands. */
export type SearchName = "sessions" | "address" | "commands";

export type SearchLine =
  | ({
      readonly type: "session";
      readonly title?: string | undefined;
      /** ISO 8601; absent until available. */
      readonly lastActive?: string | undefined;
      readonly tenant: TenantName & { readonly source: string | undefined };
      /** Matching records in the searched part. */
      readonly hits: number;
      /** Absent if every counted hit has a line. */
      readonly countIs?: CountIs | undefined;
    } & SessionKey)
  | ({ readonly type: "pending" } & SessionKey)
  /** No hit in the requested kinds of content, or none in time. */
  | ({ readonly type: "none" } & SessionKey)
  | { readonly type: "hit"; readonly hit: SearchHit };

export const MOST_NOTES = 200;

export interface SearchState {
  /** Increases whenever lines may have changed. */
  readonly version: number;
  readonly request: PageSearch | undefined;
  /**
   * - `running`: more matches may follow.
   * - `paused`: at the limit of hits; `searchOn` continues.
   * - `done`: everything was searched.
   * - `failed`: `problem` has the reason; `searchOn` tries again.
   */
  readonly status: "running" | "paused" | "done" | "failed";
  readonly problem: ApiProblem | undefined;
  readonly lines: number;
  readonly first: readonly SearchLine[];
  readonly hits: number;
  /** `hits` counts lines, or is a lower bound. */
  readonly isAbout: boolean;
  readonly sessions: number;
  readonly searched: SearchedExtent;
  readonly total: SearchedExtent;
  /** Content that could not be searched. At `MOST_NOTES` entries there may be more. */
  readonly notes: readonly string[];
}
