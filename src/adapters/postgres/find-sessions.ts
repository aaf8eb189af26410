import type { SessionSearch } from "../../application/ports/inspector-data-source.js";
import { filterCondition, filterParts } from "./filter-conditions.js";
import { activeFromCondition } from "./number-terms.js";
import { ITEM_COLUMNS, toSearchedText } from "./session-summary.js";
import { statusCondition } from "./status-condition.js";
import { toOrderedBytes, toStoredText } from "./stored-values.js";

interface SqlQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Returns the query for a search in index order, so that a page reads only its rows. The limit is in the text: as a parameter it would
 * prevent the generic plan.
 * @param columns selected columns of each session; default is the columns for the list
 */
export function findSessionsQuery(
  schema: string,
  search: SessionSearch,
  now: number,
  columns: string = ITEM_COLUMNS,
): SqlQuery {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  const { sessionId, userId, status, text, filter, activeFrom, after, limit } = search;
  const { tenantId, tenants } = scopeOf(search);
  if (tenantId !== undefined) conditions.push(`tenant_id = ${parameter(toStoredText(tenantId))}`);
  if (sessionId !== undefined) conditions.push(`session_id = ${parameter(toStoredText(sessionId))}`);
  if (tenants !== undefined) conditions.push("tenant_id = wanted.tenant");
  if (userId !== undefined) conditions.push(`user_id = ${parameter(toStoredText(userId))}`);
  if (status !== undefined) conditions.push(statusCondition(status, () => parameter(now)));
  if (text !== undefined) conditions.push(`strpos(search, ${parameter(toSearchedText(text))}) > 0`);
  if (activeFrom !== undefined) conditions.push(activeFromCondition(activeFrom, { parameter }));
  if (after !== undefined) {
    const lastActive = parameter(toStoredText(after.lastActive));
    const place = parameter(toOrderedBytes(after.tenantId, after.sessionId));
    // The first comparison is for the index; the second skips earlier sessions of the same instant.
    conditions.push(`last_active <= ${lastActive} AND (last_active < ${lastActive} OR place > ${place})`);
  }
  const end = ` ORDER BY last_active DESC, place${limit === undefined ? "" : ` LIMIT ${limit}`}`;
  const sessionsWhere = (filtered: string | undefined) => {
    const all = filtered === undefined ? conditions : [...conditions, filtered];
    return `${schema}.sessions${all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`}${end}`;
  };
  const isNarrow = tenantId !== undefined || tenants !== undefined || limit === undefined;
  const filterBy = { now, parameter };
  const parts =
    filter === undefined
      ? [undefined]
      : isNarrow
        ? [filterCondition(filter, filterBy)]
        : filterParts(filter, filterBy);
  const [sessions, ...others] = parts.map(sessionsWhere);
  if (others.length > 0) {
    const each = [sessions, ...others].map((part) => `(SELECT * FROM ${part})`);
    return { text: `SELECT ${columns} FROM (${each.join(" UNION ALL ")}) AS found${end}`, values };
  }
  if (tenants === undefined) return { text: `SELECT ${columns} FROM ${sessions}`, values };
  // Each tenant's first sessions come from the index, so that only these are sorted.
  const wanted = parameter([...new Set(tenants.map(toStoredText))]);
  return {
    text:
      `SELECT ${columns} FROM unnest(${wanted}::text[]) AS wanted (tenant) ` +
      `CROSS JOIN LATERAL (SELECT * FROM ${sessions}) AS found${end}`,
    values,
  };
}

/** A single tenant as an equality lets the server skip partitions. */
export function scopeOf({ tenantId, tenants }: SessionSearch): Pick<SessionSearch, "tenantId" | "tenants"> {
  return tenantId === undefined && tenants?.length === 1 ? { tenantId: tenants[0] } : { tenantId, tenants };
}
