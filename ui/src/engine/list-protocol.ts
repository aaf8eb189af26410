import type { ApiProblem } from "../api/api-problem.js";
import type { UnreadableRecord } from "../api/fetch-records.js";
import type { AddressQuery } from "../model/address.js";
import type { ClockZone } from "../model/formats.js";
import type { SessionCosts } from "../model/session-costs.js";
import { readGrouping, type SessionGrouping } from "../model/session-groups.js";
import { readSort, type SessionColumn, type SessionLine, type SessionSort } from "../model/session-table.js";

/** How many rows the page asks for at a time. The first page is part of every state, so that nobody has to ask for it. */
export const PAGE_ROWS = 60;

/** Which sessions are wanted: those with a text, and those that a filter means. */
export interface SessionFilters {
  readonly q?: string | undefined;
  /** As it was typed. */
  readonly filter?: string | undefined;
}

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
  /** What the lines are of. */
  readonly filters: SessionFilters;
  /** How many lines there are. */
  readonly lines: number;
  /** The first page of them. */
  readonly first: readonly SessionLine[];
  readonly sessions: number;
  /** How many there are without the filter; `undefined` until all of them are known. */
  readonly known: number | undefined;
  /** Of how many it is not known whether the filter means them: they are left out. */
  readonly undecided: number;
  /** Whether the service is still asked what the filter means: until then those are shown that it may mean. */
  readonly isNarrowing: boolean;
  /** What they cost together, as far as that is known. */
  readonly costs: SessionCosts | undefined;
  /** How many there are before all filters, and how many of them the service has read, where it says so. */
  readonly progress: ReadingProgress | undefined;
  /** What the service could not read. */
  readonly warnings: readonly UnreadableRecord[];
  /** Whether the list was read to its end. */
  readonly complete: boolean;
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
  /** The columns that a session fills, in their order. */
  readonly columns: readonly SessionColumn[];
  /** Those of them that are empty for nearly all sessions. */
  readonly rarelyFilled: readonly SessionColumn[];
  /** Whether a session names the folder that its agent worked in. */
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
