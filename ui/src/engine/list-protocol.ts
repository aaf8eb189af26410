import type { SessionQuery } from "../api/endpoints.js";
import type { Query } from "../model/address.js";
import { readSort, type SessionSort } from "../model/session-table.js";

/** What is asked of the session list. */
export interface ListQuery {
  readonly filters: SessionQuery;
  readonly sort: SessionSort;
  readonly grouped: boolean;
}

/** What an address asks of the session list. */
export function listQuery(query: Query): ListQuery {
  const { tenant = "", user = "", status = "", q = "" } = query;
  return {
    filters: { tenantId: tenant, userId: user, status, q },
    sort: readSort(query),
    grouped: query.group === "1",
  };
}

/** How many rows make a page, and come unasked with whatever says that there are other rows now. */
export const PAGE_ROWS = 60;
