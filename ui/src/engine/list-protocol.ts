import type { SessionStatus } from "../../../src/domain/session/session.js";
import type { ApiProblem } from "../api/api-problem.js";
import type { QueryAt } from "../api/endpoint-address.js";
import type { UnreadableRecord } from "../api/fetch-records.js";
import type { AddressQuery } from "../model/address.js";
import type { ClockZone } from "../model/formats.js";
import type { SessionCosts } from "../model/session-costs.js";
import { readGrouping, type SessionGrouping } from "../model/session-groups.js";
import { readSort, type SessionColumn, type SessionLine, type SessionSort } from "../model/session-table.js";
import type { TenantOption } from "../model/tenant-name.js";

/** How many rows the page asks for at a time. The first page is part of every state, so that nobody has to ask for it. */
export const PAGE_ROWS = 60;

/** The filters of the session list. */
export type SessionFilters = Pick<QueryAt<"/sessions">, "tenantId" | "userId" | "status" | "q" | "source">;

/** What the page asks of the session list. */
export interface ListQuery {
  readonly filters: SessionFilters;
  readonly sort: SessionSort;
  readonly grouping: SessionGrouping;
  /** Decides which day a session lies in. */
  readonly zone: ClockZone;
}

export interface ReadingProgress {
  readonly read: number;
  readonly total: number;
}

/** The session list as the engine holds it. */
export interface SessionListState {
  /** Increases whenever lines may have changed. */
  readonly version: number;
  /** What the sessions were asked for with. */
  readonly filters: SessionFilters;
  /** How many lines there are. */
  readonly lines: number;
  /** The first page of them. */
  readonly first: readonly SessionLine[];
  readonly sessions: number;
  /** What they cost together, as far as that is known. */
  readonly costs: SessionCosts | undefined;
  /** How many there are before all filters but the tenant's, and how many of them the service has read, where it says so. */
  readonly progress: ReadingProgress | undefined;
  /** What the service could not read. */
  readonly warnings: readonly UnreadableRecord[];
  /** Whether the list was read to its end. */
  readonly complete: boolean;
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
  /** Every tenant, user and source seen so far, for the filters. Sessions name their source where there are several. */
  readonly tenants: readonly TenantOption[];
  readonly users: readonly string[];
  readonly sources: readonly string[];
  /** The columns that a session seen so far fills, in their order. */
  readonly columns: readonly SessionColumn[];
  /** Whether a session names the folder that its agent worked in. */
  readonly hasFolders: boolean;
}

/** The query of the session list that an address names. */
export function listQuery(query: AddressQuery, zone: ClockZone = "local"): ListQuery {
  const { tenant, user, status, q, source } = query;
  return {
    // An empty text filters nothing. What is no status comes of an address by hand, and is for the service to refuse.
    filters: {
      tenantId: tenant || undefined,
      userId: user || undefined,
      status: (status || undefined) as SessionStatus | undefined,
      q: q || undefined,
      source: source || undefined,
    },
    sort: readSort(query),
    grouping: readGrouping(query),
    zone,
  };
}
