import { SourceChangedError } from "../../application/errors.js";
import type { RecordBatch } from "../../application/ports/record-stream.js";
import type { Database } from "./database.js";
import type { RecordRange } from "./record-lists.js";
import { ascendingOrder, isAscending, isRun } from "./record-positions.js";
import { toStoredText } from "./stored-text.js";

const COMMA = 0x2c;

/** Positions within a range, in the order wanted, and the length of each record. */
export interface BatchPlan {
  readonly positions: Uint32Array;
  readonly lengths: Uint32Array;
}

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
    "array_to_string(array_agg(bytes ORDER BY position), ',') AS lengths",
    signal,
  );
  const ascending = (row?.lengths ?? "").split(",").map(Number);
  checkCount(ascending.length, positions.length);
  const lengths = new Uint32Array(positions.length);
  ascendingOrder(positions).forEach((wanted, i) => {
    lengths[wanted] = ascending[i]!;
  });
  return lengths;
}

export async function readBatch(
  database: Database,
  range: RecordRange,
  { positions, lengths }: BatchPlan,
  signal: AbortSignal,
): Promise<RecordBatch> {
  const [row] = await select(
    database,
    range,
    positions,
    "string_agg(record, ',' ORDER BY position) AS records, count(*) AS size, " +
      "json_object_agg(position, encode(raw, 'hex')) FILTER (WHERE raw IS NOT NULL) AS raw",
    signal,
  );
  checkCount(Number(row?.size), positions.length);
  const stored = Buffer.from(row?.records ?? "");
  const raw = JSON.parse(row?.raw ?? "{}") as Readonly<Record<string, string>>;
  const starts = new Uint32Array(positions.length);
  let total = 0;
  for (let i = 0; i < positions.length; i++) {
    starts[i] = total;
    total += lengths[i]! + 1;
  }
  const batch = (text: Uint8Array): RecordBatch => ({
    size: positions.length,
    text,
    start: (i) => starts[i]!,
    end: (i) => starts[i]! + lengths[i]!,
  });
  if (isAscending(positions) && row?.raw === null) return batch(stored);
  const text = Buffer.alloc(total - 1, COMMA);
  let at = 0;
  for (const wanted of ascendingOrder(positions)) {
    const hex = raw[positions[wanted]! + range.first];
    const bytes = hex === undefined ? stored.subarray(at, at + lengths[wanted]!) : Buffer.from(hex, "hex");
    text.set(bytes, starts[wanted]!);
    at += (hex === undefined ? lengths[wanted]! : 0) + 1;
  }
  return batch(text);
}

function select(
  database: Database,
  { table, tenantId, sessionId, first }: RecordRange,
  positions: Uint32Array,
  columns: string,
  signal: AbortSignal,
) {
  const ids = [toStoredText(tenantId), toStoredText(sessionId)];
  const from = `SELECT ${columns} FROM ${database.schema}.${table} WHERE tenant_id = $1 AND session_id = $2`;
  const options = { signal };
  if (isRun(positions)) {
    const begin = first + positions[0]!;
    return database.query(
      `${from} AND position >= $3 AND position < $4`,
      [...ids, begin, begin + positions.length],
      options,
    );
  }
  const stored = Array.from(positions, (position) => first + position);
  return database.query(`${from} AND position = ANY($3::int[])`, [...ids, stored], options);
}

/** The records of a session are deleted together with the session: then fewer come than were there. */
function checkCount(found: number, wanted: number): void {
  if (found !== wanted) throw new SourceChangedError("The session was deleted while it was being read.");
}
