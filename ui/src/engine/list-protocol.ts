import type { ApiProblem } from "../api/api-problem.js";
import type { UnreadableRecord } from "../api/fetch-records.js";
import type { AddressQuery } from "../model/address.js";
import type { ClockZone } from "../model/formats.js";
import type { SessionCosts } from "../model/session-costs.js";
import { readGrouping, type SessionGrouping } from "../model/session-groups.js";
import { readSort, type SessionColumn, type SessionLine, type SessionSort } from "../model/session-table.js";

/** Number of rows that the page requests at a time. The first page is part of every state, so it needs no request. */
export const PAGE_ROWS = 60;

/** Filters of the session list: a search text and a filter expression. */
export interface SessionFilters {
  readonly q?: string | undefined;
  /** As it was typed. */
  readonly filter?: string | undefined;
}

/** Request of the page to the session list. */
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
  /** Filters that the lines belong to. */
  readonly filters: SessionFilters;
  /** Number of lines. */
  readonly lines: number;
  /** The first page of them. */
  readonly first: readonly SessionLine[];
  readonly sessions: number;
  /** Number of sessions without the filter; `undefined` until all of them are loaded. */
  readonly known: number | undefined;
  /** Number of omitted sessions, because the service cannot decide whether the filter matches them. */
  readonly undecided: number;
  /** True while the service evaluates the filter. Until its answer, possible matches are displayed. */
  readonly isNarrowing: boolean;
  /** Sum of their costs, as far as costs are available. */
  readonly costs: SessionCosts | undefined;
  /** Number of sessions before all filters, and how many of them the service has read, if it reports that. */
  readonly progress: ReadingProgress | undefined;
  /** Records that the service could not read. */
  readonly warnings: readonly UnreadableRecord[];
  /** True if the list was read to its end. */
  readonly complete: boolean;
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
  /** The columns that a session fills, in their order. */
  readonly columns: readonly SessionColumn[];
  /** Those of them that are empty for nearly all sessions. */
  readonly rarelyFilled: readonly SessionColumn[];
  /** True if a session states its agent's working folder. */
  readonly hasFolders: boolean;
}

/** The query of the session list that an address names. */
export function listQuery(query: AddressQuery, zone: ClockZone = "local"): ListQuery {
  const { q, filter } = query;
  return {
    // An empty text filters nothing.
    filters: { q: q || undefined, filter: filter || undefined },
    sort: readSort(query),
    grouping: readGrouping(query),
    zone,
  };
}
