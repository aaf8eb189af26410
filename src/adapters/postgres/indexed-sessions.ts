import { InvalidRequestError } from "../../application/errors.js";
import type { RecordSearch } from "../../application/ports/record-search.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { listIn } from "../../domain/json/json.js";
import type { SessionSortKey } from "../../domain/session/session.js";
import type { Database } from "./database.js";
import { findSessionsQuery } from "./find-sessions.js";
import type { Row } from "./lease.js";
import { IS_ODD, indexCondition, mayHold, SEARCHED_TABLES } from "./search-index.js";
import type { StoredForms } from "./stored-forms.js";
import { fromStoredText, toOrderedBytes, toStoredText } from "./stored-values.js";

/** A more common text is located quickly without the index. */
const MOST_RECORDS = 10_000;

type IndexedForms = StoredForms & { readonly like: string };

/**
 * @param ms time limit for the index, in milliseconds
 * @returns `undefined` if the index takes longer, or names too many records
 */
export async function findIndexed(
  database: Database,
  search: RecordSearch,
  forms: IndexedForms,
  after: RecordSearchCursor | undefined,
  limit: number,
  ms: number,
  options?: ReadOptions,
): Promise<RecordSearchCursor[] | undefined> {
  const { text, values } = recordsQuery(database.schema, search, forms);
  // The index exists to avoid reading entire tables.
  const matches = await database.briefly(ms, "enable_seqscan", (query) => query(text, values), options);
  if (matches === undefined) return undefined;
  const records = matches.reduce((sum, { records }) => sum + Number(records), 0);
  if (records >= MOST_RECORDS) return undefined;
  if (matches.length === 0) return [];
  return inOrder(database, search, matches, after, limit, options);
}

function recordsQuery(schema: string, { tenantId, tenants }: RecordSearch, { like, regex }: IndexedForms) {
  const values: unknown[] = [like, regex];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const scope: string[] = [];
  if (tenantId !== undefined) scope.push(` AND tenant_id = ${parameter(toStoredText(tenantId))}`);
  if (tenants !== undefined)
    scope.push(` AND tenant_id = ANY(${parameter(tenants.map(toStoredText))}::text[])`);
  const selects = [`${IS_ODD} AND ${mayHold("$2")}`, indexCondition("$1")].flatMap((condition) =>
    SEARCHED_TABLES.map(
      (table) => `SELECT tenant_id, session_id FROM ${schema}.${table} WHERE ${condition}${scope.join("")}`,
    ),
  );
  return {
    text: `SELECT tenant_id, session_id, count(*) AS records
      FROM (${selects.join(" UNION ALL ")} LIMIT ${MOST_RECORDS}) AS found GROUP BY tenant_id, session_id`,
    values,
  };
}

async function inOrder(
  database: Database,
  { tenantId, tenants }: RecordSearch,
  matches: readonly Row[],
  after: RecordSearchCursor | undefined,
  limit: number,
  options?: ReadOptions,
): Promise<RecordSearchCursor[]> {
  const sessions = new Map(
    matches.map((row) => {
      const key = { tenantId: fromStoredText(row.tenant_id!), sessionId: fromStoredText(row.session_id!) };
      return [toOrderedBytes(key.tenantId, key.sessionId).toString("hex"), key];
    }),
  );
  const all = findSessionsQuery(database.schema, { tenantId, tenants, after }, 0, "last_active, place");
  const rows = await database.query(
    `SELECT last_active, encode(place, 'hex') AS key, number FROM (
        SELECT *, row_number() OVER (ORDER BY last_active DESC, place) AS number FROM (${all.text}) AS sessions
      ) AS numbered
      WHERE place IN (SELECT decode(key, 'hex') FROM unnest($${all.values.length + 1}::text[]) AS wanted (key))
      ORDER BY number LIMIT ${limit}`,
    [...all.values, [...sessions.keys()]],
    options,
  );
  return rows.map((row) => ({
    ...sessions.get(row.key!)!,
    lastActive: fromStoredText(row.last_active!),
    visited: (after?.visited ?? 0) + Number(row.number),
  }));
}

export interface RecordSearchCursor extends SessionSortKey {
  readonly visited: number;
}

export function cursorText({ visited, lastActive, tenantId, sessionId }: RecordSearchCursor): string {
  return JSON.stringify([visited, lastActive, tenantId, sessionId]);
}

/** @throws InvalidRequestError if the text, which comes from a client, is not a cursor */
export function parseCursor(text: string): RecordSearchCursor {
  const [visited, lastActive, tenantId, sessionId] = listIn(text);
  const isCursor =
    Number.isSafeInteger(visited) &&
    [lastActive, tenantId, sessionId].every((part) => typeof part === "string");
  if (!isCursor) throw new InvalidRequestError("cursor", "was not issued for this search.");
  return { visited, lastActive, tenantId, sessionId } as RecordSearchCursor;
}
