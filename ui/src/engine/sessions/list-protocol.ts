import type { ApiProblem } from "../../api/api-problem.js";
import type { UnreadableRecord } from "../../api/fetch-records.js";
import type { AddressQuery } from "../../model/address/address.js";
import type { SessionCosts } from "../../model/sessions/session-costs.js";
import { readGrouping, type SessionGrouping } from "../../model/sessions/session-groups.js";
import {
  readSort,
  type SessionColumn,
  type SessionLine,
  type SessionSort,
} from "../../model/sessions/session-table.js";
import type { ClockZone } from "../../model/text/formats.js";

/** Every state contains the first page, so it needs no request. */
export const PAGE_ROWS = 60;

export interface SessionFilters {
  readonly q?: string | undefined;
  readonly filter?: string | undefined;
}

export interface ListQuery {
  readonly filters: SessionFilters;
  readonly sort: SessionSort;
  readonly grouping: SessionGrouping;
  readonly zone: ClockZone;
}

export interface ReadingProgress {
  readonly read: number;
  readonly total: number;
}

export interface SessionListState {
  /** Increases whenever lines may have changed. */
  readonly version: number;
  readonly filters: SessionFilters;
  readonly lines: number;
  readonly first: readonly SessionLine[];
  readonly sessions: number;
  /** Without the filter; `undefined` until all are loaded. */
  readonly total: number | undefined;
  /** Omitted sessions: the service cannot decide whether the filter matches them. */
  readonly undecided: number;
  /** The service is evaluating the filter. Until then, possible matches are displayed. */
  readonly isNarrowing: boolean;
  readonly costs: SessionCosts | undefined;
  readonly progress: ReadingProgress | undefined;
  readonly warnings: readonly UnreadableRecord[];
  readonly complete: boolean;
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
  readonly columns: readonly SessionColumn[];
  readonly rarelyFilled: readonly SessionColumn[];
  readonly hasFolders: boolean;
}

export function listQuery(query: AddressQuery, zone: ClockZone = "local"): ListQuery {
  const { q, filter } = query;
  return {
    filters: { q: q || undefined, filter: filter || undefined },
    sort: readSort(query),
    grouping: readGrouping(query),
    zone,
  };
}
