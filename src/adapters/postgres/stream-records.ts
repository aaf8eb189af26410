import { SourceChangedError } from "../../application/errors.js";
import type { ReadOptions, RecordSelection, RecordStream } from "../../application/ports/record-stream.js";
import type { RecordBatch } from "../../domain/json/record-batch.js";
import type { Database } from "./database.js";
import type { Row } from "./lease.js";
import { RECORD_TABLES, type RecordRange, sameIncarnation } from "./stored-records.js";
import { idsOf, literal, toNumbers } from "./stored-values.js";

const BATCH_BYTES = 96 * 1024;
const BATCH_RECORDS = 8_192;

const COPY_OVERHEAD = 64;

const COMMA = 0x2c;

interface RowBatchPlan {
  readonly positions: Uint32Array;
  readonly lengths: Uint32Array;
}

/**
 * Each batch is a separate query, so that a slow reader holds no connection.
 * @param opened options of the opened session: their signal stops every read
 * @param lengthAt cached size of a record in bytes; without it, the database is queried
 */
export function streamRecords(
  database: Database,
  range: RecordRange,
  opened: ReadOptions = {},
  lengthAt?: (position: number) => number,
): RecordStream {
  const records = new RecordReader(database, range, lengthAt);
  return {
    size: range.size,
    warnings: [],
    read: (selection, { signal } = {}) =>
      records.read(
        selection,
        [opened.signal, signal].filter((one) => one !== undefined),
      ),
  };
}

class RecordReader {
  readonly #database: Database;
  readonly #range: RecordRange;
  readonly #lengthAt: ((position: number) => number) | undefined;

  constructor(database: Database, range: RecordRange, lengthAt?: (position: number) => number) {
    this.#database = database;
    this.#range = range;
    this.#lengthAt = lengthAt;
  }

  /** Reads one batch ahead. A reader that leaves cancels it. */
  async *read(
    selection: RecordSelection,
    signals: readonly AbortSignal[],
  ): AsyncGenerator<RecordBatch, void> {
    const left = new AbortController();
    const leave = ({ target }: Event) => left.abort((target as AbortSignal).reason);
    for (const signal of signals) {
      if (signal.aborted) left.abort(signal.reason);
      signal.addEventListener("abort", leave);
    }
    try {
      let next: Promise<RecordBatch> | undefined;
      for await (const plan of this.#plan(selection, left.signal)) {
        const ready = next;
        next = this.#readBatch(plan, left.signal);
        next.catch(() => {}); // The next round awaits it; an earlier failure counts as handled.
        if (ready === undefined) continue;
        yield await ready;
        left.signal.throwIfAborted();
      }
      if (next !== undefined) yield await next;
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", leave);
      left.abort();
    }
  }

  async *#plan(
    { positions, from, to }: RecordSelection,
    signal: AbortSignal,
  ): AsyncGenerator<RowBatchPlan, void> {
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + BATCH_RECORDS);
      const wanted = positions?.slice(at, end) ?? Uint32Array.from({ length: end - at }, (_, i) => at + i);
      const lengthAt = this.#lengthAt;
      const lengths =
        lengthAt === undefined
          ? await this.#readLengths(wanted, signal)
          : wanted.map((position) => lengthAt(position));
      for (let begin = 0; begin < wanted.length; ) {
        let next = begin + 1;
        let bytes = lengths[begin]!;
        while (next < wanted.length && bytes + lengths[next]! <= BATCH_BYTES) bytes += lengths[next++]!;
        yield { positions: wanted.subarray(begin, next), lengths: lengths.subarray(begin, next) };
        begin = next;
      }
      at = end;
    }
  }

  async #readLengths(positions: Uint32Array, signal: AbortSignal): Promise<Uint32Array> {
    const columns = "count(*) AS found, array_agg(bytes ORDER BY position) AS lengths";
    const [row] = await this.#select(columns, positions, "", signal);
    checkCount(Number(row?.found), positions.length);
    const ascending = toNumbers(row?.lengths, positions.length);
    const lengths = new Uint32Array(positions.length);
    for (const [i, wanted] of ascendingOrder(positions).entries()) lengths[wanted] = ascending[i]!;
    return lengths;
  }

  async #readBatch(plan: RowBatchPlan, signal: AbortSignal): Promise<RecordBatch> {
    const { positions, lengths } = plan;
    const starts = new Uint32Array(positions.length);
    let total = 0;
    for (let i = 0; i < starts.length; i++) {
      starts[i] = total;
      total += lengths[i]! + 1;
    }
    const joined = isRun(positions) ? await this.#readJoined(positions, total - 1, signal) : undefined;
    return {
      size: starts.length,
      text: joined ?? (await this.#readRows(plan, starts, total - 1, signal)),
      start: (i) => starts[i]!,
      end: (i) => starts[i]! + lengths[i]!,
    };
  }

  /**
   * Joins consecutive records in the server: one long text costs far less than many rows.
   * @returns `undefined` if a record is not text, or the driver gives no bytes
   */
  async #readJoined(positions: Uint32Array, bytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
    const { list, first } = this.#range;
    const begin = first + positions[0]!;
    const ids = idsOf(this.#range).map(literal) as [string, string];
    const { schema } = this.#database;
    const select = `SELECT count(*)::int AS found, count(raw)::int AS unreadable,
        string_agg(record, ',' ORDER BY position) AS joined
      FROM ${schema}.${RECORD_TABLES[list]} WHERE tenant_id = ${ids[0]} AND session_id = ${ids[1]}
        AND position >= ${begin} AND position < ${begin + positions.length}${sameIncarnation(schema, this.#range, ids)}`;
    const row = await this.#database.copyRow(select, bytes + COPY_OVERHEAD, { signal });
    if (row === undefined) return undefined;
    const [exists, unreadable, joined] = row;
    checkCount(exists!.readInt32BE(), positions.length);
    return unreadable!.readInt32BE() === 0 ? joined : undefined;
  }

  async #readRows(
    { positions, lengths }: RowBatchPlan,
    starts: Uint32Array,
    bytes: number,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const text = Buffer.alloc(bytes, COMMA);
    const columns = "record, encode(raw, 'hex') AS raw";
    const rows = await this.#select(columns, positions, "ORDER BY position", signal);
    checkCount(rows.length, positions.length);
    for (const [i, wanted] of ascendingOrder(positions).entries()) {
      const { record, raw } = rows[i]!;
      if (raw === null) text.write(record!, starts[wanted]!, lengths[wanted]!);
      else text.write(raw!, starts[wanted]!, lengths[wanted]!, "hex");
    }
    return text;
  }

  #select(
    columns: string,
    positions: Uint32Array,
    end: string,
    signal: AbortSignal,
  ): Promise<readonly Row[]> {
    const { list, first } = this.#range;
    const { schema } = this.#database;
    const from = `FROM ${schema}.${RECORD_TABLES[list]} WHERE tenant_id = $1 AND session_id = $2${sameIncarnation(schema, this.#range)}`;
    const begin = first + positions[0]!;
    const [condition, values] = isRun(positions)
      ? ["position >= $3 AND position < $4", [begin, begin + positions.length]]
      : ["position = ANY($3::int[])", [Array.from(positions, (position) => first + position)]];
    return this.#database.query(
      `SELECT ${columns} ${from} AND ${condition} ${end}`,
      [...idsOf(this.#range), ...values],
      {
        signal,
      },
    );
  }
}

function isRun(positions: Uint32Array): boolean {
  return positions.every((position, i) => position === positions[0]! + i);
}

export function checkCount(exists: number, wanted: number): void {
  if (exists !== wanted) throw new SourceChangedError("The session was deleted while it was being read.");
}

function ascendingOrder(positions: Uint32Array): Uint32Array {
  const order = Uint32Array.from(positions.keys());
  const isAscending = positions.every((position, i) => i === 0 || position > positions[i - 1]!);
  return isAscending ? order : order.sort((a, b) => positions[a]! - positions[b]!);
}
