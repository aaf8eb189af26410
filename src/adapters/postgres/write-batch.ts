import { randomUUID } from "node:crypto";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { RunQuery } from "./lease.js";
import { recordsOf, SessionChanges, type WriteOperation, type WriteResult } from "./session-changes.js";
import { newSummary, type StoredSummary, SUMMARY_COLUMNS, toColumns, toSummary } from "./session-summary.js";
import { type PlacedRecord, RECORD_TABLES, type RecordList } from "./stored-records.js";
import { idsOf } from "./stored-values.js";

/**
 * Requires the lock of the session's row, so that positions have no gaps, and the summary agrees with the records.
 * @param isRepeated true if some records may already exist; those stay unchanged
 */
export async function writeBatch(
  query: RunQuery,
  schema: string,
  session: SessionKey,
  operations: readonly WriteOperation[],
  isRepeated: boolean,
): Promise<WriteResult[]> {
  const before = await lockSession(query, schema, session);
  const ids = idsOf(session);
  const storedKeysByList = isRepeated ? await storedKeys(query, schema, ids, operations) : new Map();
  const changes = new SessionChanges(before, storedKeysByList);
  const results = operations.map((operation) => changes.apply(operation));
  for (const [list, records] of changes.added) {
    await insertRecords(query, `${schema}.${RECORD_TABLES[list]}`, ids, records);
  }
  for (const [list, records] of changes.rewritten) {
    for (const record of records) {
      await rewriteRecord(query, `${schema}.${RECORD_TABLES[list]}`, ids, record);
    }
  }
  if (changes.summary !== before) await saveSession(query, schema, changes.summary);
  return results;
}

async function rewriteRecord(
  query: RunQuery,
  table: string,
  session: readonly string[],
  { position, key, bytes, text, raw, columns }: PlacedRecord,
): Promise<void> {
  const names = Object.keys(columns);
  const own = names.map((name, i) => `, ${name} = $${i + 8}`).join("");
  await query(
    `UPDATE ${table} SET record_key = $4, bytes = $5, record = $6, raw = $7${own}
      WHERE tenant_id = $1 AND session_id = $2 AND position = $3`,
    [...session, position, key, bytes, text, raw ?? null, ...names.map((name) => columns[name])],
  );
}

async function storedKeys(
  query: RunQuery,
  schema: string,
  ids: readonly string[],
  operations: readonly WriteOperation[],
): Promise<Map<RecordList, Set<string>>> {
  const stored = new Map<RecordList, Set<string>>();
  for (const [list, keys] of keysByList(operations)) {
    const rows = await query(
      `SELECT record_key FROM ${schema}.${RECORD_TABLES[list]}
        WHERE tenant_id = $1 AND session_id = $2 AND record_key = ANY($3::uuid[])`,
      [...ids, keys],
    );
    stored.set(list, new Set(rows.map((row) => row.record_key!)));
  }
  return stored;
}

function keysByList(operations: readonly WriteOperation[]): ReadonlyMap<RecordList, string[]> {
  const keys = new Map<RecordList, string[]>();
  for (const [list, records] of operations.flatMap(recordsOf)) {
    keys.set(list, [...(keys.get(list) ?? []), ...records.map(({ key }) => key)]);
  }
  return keys;
}

async function lockSession(query: RunQuery, schema: string, session: SessionKey): Promise<StoredSummary> {
  const ids = idsOf(session);
  const lock = `SELECT ${SUMMARY_COLUMNS} FROM ${schema}.sessions
    WHERE tenant_id = $1 AND session_id = $2 FOR UPDATE`;
  const [storedKeysByList] = await query(lock, ids);
  if (storedKeysByList !== undefined) return toSummary(storedKeysByList);
  const columns = toColumns(newSummary(session, Date.now()));
  const values = [randomUUID(), ...columns.values()];
  await query(
    `INSERT INTO ${schema}.sessions (revision, incarnation, ${[...columns.keys()].join(", ")})
      VALUES (0, ${values.map((_, i) => `$${i + 1}`).join(", ")}) ON CONFLICT DO NOTHING`,
    values,
  );
  const [created] = await query(lock, ids);
  return toSummary(created!);
}

const FIXED = new Set(["tenant_id", "session_id", "place"]);

async function saveSession(query: RunQuery, schema: string, summary: StoredSummary): Promise<void> {
  const columns = toColumns(summary);
  const names = [...columns.keys()].filter((name) => !FIXED.has(name));
  const values = ["tenant_id", "session_id", ...names].map((name) => columns.get(name));
  await query(
    `UPDATE ${schema}.sessions SET revision = revision + 1,
        ${names.map((name, i) => `${name} = $${i + 3}`).join(", ")}
      WHERE tenant_id = $1 AND session_id = $2`,
    values,
  );
}

const ROWS = 256;
const BYTES = 4 * 1024 * 1024;

async function insertRecords(
  query: RunQuery,
  table: string,
  session: readonly [tenantId: string, sessionId: string],
  records: readonly PlacedRecord[],
): Promise<void> {
  for (let from = 0; from < records.length; ) {
    let to = from;
    let bytes = 0;
    while (to < records.length && to - from < ROWS && (to === from || bytes + records[to]!.bytes <= BYTES)) {
      bytes += records[to]!.bytes;
      to++;
    }
    await insertRows(query, table, session, records.slice(from, to));
    from = to;
  }
}

async function insertRows(
  query: RunQuery,
  table: string,
  session: readonly string[],
  records: readonly PlacedRecord[],
): Promise<void> {
  const names = Object.keys(records[0]!.columns);
  const values: unknown[] = [...session];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const rows = records.map(({ position, key, bytes, text, raw, columns }) => {
    const own = [position, key, bytes, text, raw ?? null, ...names.map((name) => columns[name])];
    return `($1, $2, ${own.map(parameter).join(", ")})`;
  });
  const columns = ["tenant_id", "session_id", "position", "record_key", "bytes", "record", "raw", ...names];
  await query(`INSERT INTO ${table} (${columns.join(", ")}) VALUES ${rows.join(", ")}`, values);
}
