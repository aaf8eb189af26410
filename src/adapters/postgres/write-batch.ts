import type { SessionKey } from "../../application/ports/session-store.js";
import { insertRecords } from "./insert-records.js";
import type { Query } from "./lease.js";
import { RECORD_TABLES, type RecordList } from "./record-lists.js";
import { SessionChanges, type WriteOperation, type WriteResult } from "./session-changes.js";
import type { StoredRecord } from "./stored-records.js";
import { toStoredText } from "./stored-text.js";
import { lockSession, saveSession } from "./summary-row.js";

/**
 * Writes operations on one session, in order, within a transaction that holds the lock of the session's row: so positions
 * have no gaps whoever writes, and the summary is that of the records.
 *
 * @param isRepeated whether some of the records may be there already; those are left as they are
 */
export async function writeBatch(
  query: Query,
  schema: string,
  session: SessionKey,
  operations: readonly WriteOperation[],
  isRepeated: boolean,
): Promise<WriteResult[]> {
  const before = await lockSession(query, schema, session);
  const ids = [toStoredText(session.tenantId), toStoredText(session.sessionId)] as const;
  const known = isRepeated ? await storedKeys(query, schema, ids, operations) : new Map();
  const changes = new SessionChanges(before, known);
  const results = operations.map((operation) => changes.apply(operation));
  for (const [list, records] of changes.added) {
    await insertRecords(query, `${schema}.${RECORD_TABLES[list]}`, ids, records);
  }
  if (changes.summary !== before) await saveSession(query, schema, changes.summary);
  return results;
}

/** Which of the records are stored already. */
async function storedKeys(
  query: Query,
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
  const add = (list: RecordList, records: readonly StoredRecord[]) =>
    keys.set(list, [...(keys.get(list) ?? []), ...records.map(({ key }) => key)]);
  for (const operation of operations) {
    if (operation.kind === "append") add(operation.list, operation.records);
    if (operation.kind !== "replace") continue;
    add("log", [operation.log]);
    add("messages", operation.messages);
  }
  return keys;
}
