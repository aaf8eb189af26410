import { SourceChangedError } from "../../application/errors.js";
import type { RecordBatch } from "../../application/ports/record-stream.js";
import type { Database } from "./database.js";
import type { Row } from "./lease.js";
import type { RecordRange } from "./record-lists.js";
import { toStoredText } from "./stored-text.js";

const COMMA = 0x2c;

/** Positions within a range, in the order wanted, and the length of each record. */
export interface BatchPlan {
  readonly positions: Uint32Array;
  readonly lengths: Uint32Array;
}

/** How long the records at some positions are, in bytes. */
export async function readLengths(
  database: Database,
  range: RecordRange,
  positions: Uint32Array,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const [row] = await select(
    database,
    range,
    positions,
    "array_agg(bytes ORDER BY position) AS lengths",
    "",
    signal,
  );
  const ascending = toNumbers(row?.lengths);
  checkCount(ascending.length, positions.length);
  const lengths = new Uint32Array(positions.length);
  for (const [i, wanted] of ascendingOrder(positions).entries()) lengths[wanted] = ascending[i]!;
  return lengths;
}

/** Reads the records of a batch and puts them down in the order wanted. */
export async function readBatch(
  database: Database,
  range: RecordRange,
  { positions, lengths }: BatchPlan,
  signal: AbortSignal,
): Promise<RecordBatch> {
  const columns = "record, encode(raw, 'hex') AS raw";
  const rows = await select(database, range, positions, columns, "ORDER BY position", signal);
  checkCount(rows.length, positions.length);
  const starts = new Uint32Array(positions.length);
  let total = 0;
  for (let i = 0; i < positions.length; i++) {
    starts[i] = total;
    total += lengths[i]! + 1;
  }
  const text = Buffer.alloc(total - 1, COMMA);
  for (const [i, wanted] of ascendingOrder(positions).entries()) {
    const { record, raw } = rows[i]!;
    if (raw === null) text.write(record!, starts[wanted]!, lengths[wanted]!);
    else text.write(raw!, starts[wanted]!, lengths[wanted]!, "hex");
  }
  return {
    size: positions.length,
    text,
    start: (i) => starts[i]!,
    end: (i) => starts[i]! + lengths[i]!,
  };
}

/** The numbers of an array, as the server writes it. */
export function toNumbers(array: string | null | undefined): readonly number[] {
  return array ? array.slice(1, -1).split(",").map(Number) : [];
}

function select(
  database: Database,
  { table, tenantId, sessionId, first }: RecordRange,
  positions: Uint32Array,
  columns: string,
  end: string,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const from = `SELECT ${columns} FROM ${database.schema}.${table} WHERE tenant_id = $1 AND session_id = $2`;
  const ids = [toStoredText(tenantId), toStoredText(sessionId)];
  if (positions.every((position, i) => position === positions[0]! + i)) {
    const begin = first + positions[0]!;
    const values = [...ids, begin, begin + positions.length];
    return database.query(`${from} AND position >= $3 AND position < $4 ${end}`, values, { signal });
  }
  const stored = Array.from(positions, (position) => first + position);
  return database.query(`${from} AND position = ANY($3::int[]) ${end}`, [...ids, stored], { signal });
}

/** The records of a session are deleted together with the session: then fewer come than were there. */
function checkCount(found: number, wanted: number): void {
  if (found !== wanted) throw new SourceChangedError("The session was deleted while it was being read.");
}

/** The places in `positions`, by position. */
function ascendingOrder(positions: Uint32Array): Uint32Array {
  const order = Uint32Array.from(positions.keys());
  const isAscending = positions.every((position, i) => i === 0 || position > positions[i - 1]!);
  return isAscending ? order : order.sort((a, b) => positions[a]! - positions[b]!);
}
