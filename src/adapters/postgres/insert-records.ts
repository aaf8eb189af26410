import type { Query } from "./lease.js";
import type { StoredRecord } from "./stored-records.js";

/** What a table keeps of a record besides the record: the keys that the merge of a trace asks for. */
export type RecordColumns = { readonly [column: string]: string | number };

export interface PlacedRecord extends StoredRecord {
  readonly position: number;
  readonly columns: RecordColumns;
}

/** How many rows, and about how many bytes, one statement inserts. */
const ROWS = 256;
const BYTES = 4 * 1024 * 1024;

/** Inserts records in as few statements as their size allows. */
export async function insertRecords(
  query: Query,
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
  query: Query,
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
