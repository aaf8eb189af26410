import { SourceChangedError } from "../../application/errors.js";
import type { RecordBatch } from "../../application/ports/record-stream.js";
import { literal } from "./copy-out.js";
import type { Database } from "./database.js";
import type { Row } from "./lease.js";
import type { RecordRange } from "./record-lists.js";
import { toStoredText } from "./stored-text.js";

const COMMA = 0x2c;

/** What `COPY` sends besides the records: a header, two numbers, lengths, an end. */
const COPY_OVERHEAD = 64;

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
    "count(*) AS found, array_agg(bytes ORDER BY position) AS lengths",
    "",
    signal,
  );
  checkCount(Number(row?.found), positions.length);
  const ascending = toNumbers(row?.lengths, positions.length);
  const lengths = new Uint32Array(positions.length);
  for (const [i, wanted] of ascendingOrder(positions).entries()) lengths[wanted] = ascending[i]!;
  return lengths;
}

/**
 * Reads the records of a batch and puts them down in the order wanted. The server joins records that follow one another: one
 * long text costs far less than a row for each. Records that are no text, or not in stored order, come as rows.
 */
export async function readBatch(
  database: Database,
  range: RecordRange,
  plan: BatchPlan,
  signal: AbortSignal,
): Promise<RecordBatch> {
  const starts = new Uint32Array(plan.positions.length);
  let total = 0;
  for (let i = 0; i < starts.length; i++) {
    starts[i] = total;
    total += plan.lengths[i]! + 1;
  }
  const joined = isRun(plan.positions)
    ? await readJoined(database, range, plan, total - 1, signal)
    : undefined;
  const text = joined ?? (await readRows(database, range, plan, starts, total - 1, signal));
  return {
    size: starts.length,
    text,
    start: (i) => starts[i]!,
    end: (i) => starts[i]! + plan.lengths[i]!,
  };
}

/** @returns the records with commas between; `undefined` where some of them are no text */
async function readJoined(
  database: Database,
  { table, tenantId, sessionId, first }: RecordRange,
  { positions }: BatchPlan,
  bytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const begin = first + positions[0]!;
  const ids = [tenantId, sessionId].map((id) => literal(toStoredText(id)));
  const select = `SELECT count(*)::int AS found, count(raw)::int AS unreadable,
      string_agg(record, ',' ORDER BY position) AS joined
    FROM ${database.schema}.${table} WHERE tenant_id = ${ids[0]} AND session_id = ${ids[1]}
      AND position >= ${begin} AND position < ${begin + positions.length}`;
  const row = await database.copyRow(select, bytes + COPY_OVERHEAD, { signal });
  if (row === undefined) return undefined;
  const [found, unreadable, joined] = row;
  checkCount(found!.readInt32BE(), positions.length);
  return unreadable!.readInt32BE() === 0 ? joined : undefined;
}

async function readRows(
  database: Database,
  range: RecordRange,
  { positions, lengths }: BatchPlan,
  starts: Uint32Array,
  bytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const text = Buffer.alloc(bytes, COMMA);
  const columns = "record, encode(raw, 'hex') AS raw";
  const rows = await select(database, range, positions, columns, "ORDER BY position", signal);
  checkCount(rows.length, positions.length);
  for (const [i, wanted] of ascendingOrder(positions).entries()) {
    const { record, raw } = rows[i]!;
    if (raw === null) text.write(record!, starts[wanted]!, lengths[wanted]!);
    else text.write(raw!, starts[wanted]!, lengths[wanted]!, "hex");
  }
  return text;
}

/**
 * The numbers of an array, as the server writes it: `{1,2.5,NaN}`. Whole numbers are read digit by digit: thousands of texts
 * for thousands of numbers would be made only to be thrown away.
 */
export function toNumbers(array: string | null | undefined, count: number): Float64Array {
  const numbers = new Float64Array(count);
  if (!array) return numbers;
  let from = 1;
  for (let i = 0; i < count && from < array.length; i++) {
    let value = 0;
    let at = from;
    for (; at < array.length; at++) {
      const digit = array.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const isWhole = at > from && at - from <= 15 && isEnd(array, at);
    while (!isEnd(array, at)) at++;
    numbers[i] = isWhole ? value : Number(array.slice(from, at));
    from = at + 1;
  }
  return numbers;
}

const ZERO = "0".charCodeAt(0);

function isEnd(array: string, at: number): boolean {
  return at >= array.length || array[at] === "," || array[at] === "}";
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
  if (isRun(positions)) {
    const begin = first + positions[0]!;
    const values = [...ids, begin, begin + positions.length];
    return database.query(`${from} AND position >= $3 AND position < $4 ${end}`, values, { signal });
  }
  const stored = Array.from(positions, (position) => first + position);
  return database.query(`${from} AND position = ANY($3::int[]) ${end}`, [...ids, stored], { signal });
}

/** Whether the positions follow one another. */
function isRun(positions: Uint32Array): boolean {
  return positions.every((position, i) => position === positions[0]! + i);
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
