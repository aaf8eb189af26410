import type { SearchHit } from "../../domain/search/search-hit.js";
import type { ContentKind, SearchQuery } from "../../domain/search/search-query.js";
import type { SearchExtent } from "../ports/record-search.js";
import type { TenantScope } from "../sources/scope.js";

export interface SearchRequest {
  readonly query: SearchQuery;
  /** Only sessions of this tenant. Default is all. */
  readonly tenantId?: string | undefined;
  /** Only this session of `tenantId`, with its sub-agents. */
  readonly sessionId?: string | undefined;
  /** Kinds of texts to search; not empty. */
  readonly kinds: readonly ContentKind[];
  /** Selection of sessions; `zone` is the time zone of its dates. Default is all. */
  readonly filter?: string | undefined;
  readonly zone?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Whose sessions the caller may see: others are not searched. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

export interface SearchAnswer {
  /** Newest session first; within a session in `sequence` order, then messages by their index. */
  readonly hits: readonly SearchHit[];
  /** Searched extent since the search began, as far as the source reports it. */
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
  /** Sentences on records that could not be searched; absent if there is nothing to report. */
  readonly notes?: readonly string[];
  /** Cursor for the next answer; `null` if everything was searched: only then there are no more hits. */
  readonly nextCursor: string | null;
}
