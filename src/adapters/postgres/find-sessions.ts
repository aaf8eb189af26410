import type { SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { SessionStatus } from "../../domain/session.js";
import { RUNNING_WINDOW_MS } from "../../domain/session-activity.js";
import { ITEM_COLUMNS, toSearchedText } from "./session-summary.js";
import { toOrderedBytes, toStoredText } from "./stored-text.js";

export interface SqlQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The query for a search. Its order is that of an index, so that a page reads as many rows as it shows. */
export function findSessionsQuery(schema: string, search: SessionSearch, now: number): SqlQuery {
  const { limit } = search;
  const end = limit === undefined ? undefined : (parameter: Parameter) => parameter(limit);
  return selectSessions(schema, search, now, () => ITEM_COLUMNS, end);
}

/**
 * The same for the texts of the items; a row whose text is missing or older than the row has none. The limit is a part of the
 * text: of a statement with an unknown one, the server expects so many rows that it makes a new plan each time.
 */
export function findItemTextsQuery(
  schema: string,
  search: SessionSearch & { readonly limit: number },
  now: number,
): SqlQuery {
  return selectSessions(schema, search, now, itemText, () => String(search.limit));
}

/** Adds a value to a query. */
type Parameter = (value: unknown) => string;

/**
 * The text of an item at this moment: it was made when the session was written, and says `running` of one that has been still
 * for too long since. The words that are replaced are in no title, where JSON writes their quotation marks as `\"`.
 */
function itemText(now: () => string): string {
  return `CASE WHEN item_revision = revision THEN
      CASE WHEN ${isStill(now)} THEN replace(item, '"status":"running"', '"status":"idle"') ELSE item END
    END AS item`;
}

function selectSessions(
  schema: string,
  search: SessionSearch,
  now: number,
  columns: (now: () => string) => string,
  limit?: (parameter: Parameter) => string,
): SqlQuery {
  const values: unknown[] = [];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const selected = columns(() => parameter(now));
  const conditions: string[] = [];
  const { tenantId, userId, status, text, after } = search;
  if (tenantId !== undefined) conditions.push(`tenant_id = ${parameter(toStoredText(tenantId))}`);
  if (userId !== undefined) conditions.push(`user_id = ${parameter(toStoredText(userId))}`);
  if (status !== undefined) conditions.push(statusCondition(status, () => parameter(now)));
  if (text !== undefined) conditions.push(`strpos(search, ${parameter(toSearchedText(text))}) > 0`);
  if (after !== undefined) {
    const lastActive = parameter(after.lastActive);
    const place = parameter(toOrderedBytes(after.tenantId, after.sessionId));
    // The first comparison finds the place in the index; the second leaves out what shares its instant and came before.
    conditions.push(`last_active <= ${lastActive} AND (last_active < ${lastActive} OR place > ${place})`);
  }
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  const end = limit === undefined ? "" : ` LIMIT ${limit(parameter)}`;
  return {
    text: `SELECT ${selected} FROM ${schema}.sessions${where} ORDER BY last_active DESC, place${end}`,
    values,
  };
}

/** What `sessionStatus` of the domain makes of the settled status and the clock, as a condition. */
function statusCondition(status: SessionStatus, now: () => string): string {
  switch (status) {
    case "error":
      return "state = 'error'";
    case "running":
      return `state = 'running' AND ${now()}::float8 - newest <= ${RUNNING_WINDOW_MS}`;
    case "idle":
      return `(state = 'idle' OR (${isStill(now)}))`;
    default:
      return status satisfies never;
  }
}

/** Whether what a session began was never ended, and too long ago. */
function isStill(now: () => string): string {
  return `state = 'running' AND ${now()}::float8 - newest > ${RUNNING_WINDOW_MS}`;
}
