import type { SearchHit } from "../../domain/search/search-hit.js";
import type { ContentKind, SearchQuery } from "../../domain/search/search-query.js";
import type { SearchExtent } from "../ports/record-search.js";
import type { TenantScope } from "../sources/scope.js";

/** What is looked for, and where. */
export interface SearchRequest {
  readonly query: SearchQuery;
  /** Only sessions of this tenant. Default is all. */
  readonly tenantId?: string | undefined;
  /** Only this session of `tenantId`, with its sub-agents. */
  readonly sessionId?: string | undefined;
  /** Which texts are looked at; not empty. */
  readonly kinds: readonly ContentKind[];
  /** Only sessions that it means; `zone` is that by whose days its dates are read. Default is all. */
  readonly filter?: string | undefined;
  readonly zone?: string | undefined;
  /** How many hits at most; at least 1. */
  readonly limit: number;
  /** What an earlier answer gave as `nextCursor`: goes on there with the same search. */
  readonly cursor?: string | undefined;
  /** Whose sessions the caller may see: others are not searched. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

/** What was found so far. */
export interface SearchAnswer {
  /** Newest session first; within a session in `sequence` order, then messages by their index. */
  readonly hits: readonly SearchHit[];
  /** What was looked at since the search began, as far as the source says. */
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
  /** What could not be looked at, in sentences; absent where there is nothing to say. */
  readonly notes?: readonly string[];
  /** Where to go on; `null` where everything was searched: only then nothing else is there. */
  readonly nextCursor: string | null;
}
