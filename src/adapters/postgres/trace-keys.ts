import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import type { Database } from "./database.js";
import { RECORD_TABLES, type RecordRange, sameIncarnation } from "./stored-records.js";
import { fromStoredText, idsOf, toNumbers } from "./stored-values.js";
import { checkCount } from "./stream-records.js";

const BLOCK = 16_384;

interface Columns {
  readonly traces: Uint32Array;
  readonly sequences: Float64Array;
  readonly instants: Float64Array;
  readonly lengths: Uint32Array;
}

const BYTES_PER_ENVELOPE = 24;

export class StoredTraceKeys implements TraceKeys {
  readonly size: number;
  readonly traces: Uint32Array;
  readonly sequences: Float64Array;
  readonly instants: Float64Array;
  readonly traceIds: readonly string[];
  readonly #columns: Columns;

  private constructor(columns: Columns, size: number, traceIds: readonly string[]) {
    this.size = size;
    this.traces = columns.traces.subarray(0, size);
    this.sequences = columns.sequences.subarray(0, size);
    this.instants = columns.instants.subarray(0, size);
    this.traceIds = traceIds;
    this.#columns = columns;
  }

  static readonly none = new StoredTraceKeys(columnsOf(0), 0, []);

  get bytes(): number {
    return 512 + this.#columns.traces.length * BYTES_PER_ENVELOPE + this.traceIds.length * 128;
  }

  lengthAt(position: number): number {
    return this.#columns.lengths[position]!;
  }

  first(size: number): StoredTraceKeys {
    let traces = 0;
    for (const trace of this.traces.subarray(0, size)) traces = Math.max(traces, trace + 1);
    return new StoredTraceKeys(this.#columns, size, this.traceIds.slice(0, traces));
  }

  /**
   * Adds the keys up to the end of the range. Instances share columns while they have capacity: values are written after the end of every
   * view, and concurrent readers write equal numbers.
   */
  async extend(database: Database, range: RecordRange, options?: ReadOptions): Promise<StoredTraceKeys> {
    const columns = this.#columnsWithRoom(range.size);
    const ordinals = new Map(this.traceIds.map((id, ordinal) => [id, ordinal]));
    for (let from = this.size; from < range.size; from += BLOCK) {
      const to = Math.min(from + BLOCK, range.size);
      await readBlock(database, range, [from, to], columns, ordinals, options);
    }
    return new StoredTraceKeys(columns, range.size, [...ordinals.keys()]);
  }

  #columnsWithRoom(size: number): Columns {
    const old = this.#columns;
    if (size <= old.traces.length) return old;
    const grown = columnsOf(Math.max(size, Math.ceil(this.size * 1.25)));
    grown.traces.set(this.traces);
    grown.sequences.set(this.sequences);
    grown.instants.set(this.instants);
    grown.lengths.set(old.lengths.subarray(0, this.size));
    return grown;
  }
}

function columnsOf(length: number): Columns {
  return {
    traces: new Uint32Array(length),
    sequences: new Float64Array(length),
    instants: new Float64Array(length),
    lengths: new Uint32Array(length),
  };
}

async function readBlock(
  database: Database,
  range: RecordRange,
  [from, to]: readonly [from: number, to: number],
  columns: Columns,
  ordinals: Map<string, number>,
  options?: ReadOptions,
): Promise<void> {
  const { list, first } = range;
  const values = [...idsOf(range), first + from, first + to];
  const where = `FROM ${database.schema}.${RECORD_TABLES[list]}
    WHERE tenant_id = $1 AND session_id = $2 AND position >= $3 AND position < $4${sameIncarnation(database.schema, range)}`;
  const [row] = await database.query(
    `SELECT count(*) AS found, array_agg(sequence ORDER BY position) AS sequences,
        array_agg(instant ORDER BY position) AS instants, array_agg(bytes ORDER BY position) AS lengths,
        CASE WHEN min(trace_id) = max(trace_id) THEN min(trace_id) END AS trace_id ${where}`,
    values,
    options,
  );
  const size = to - from;
  checkCount(Number(row?.found), size);
  columns.sequences.set(toNumbers(row?.sequences, size), from);
  columns.instants.set(toNumbers(row?.instants, size), from);
  columns.lengths.set(toNumbers(row?.lengths, size), from);
  const begins =
    row?.trace_id === null
      ? await database.query(
          `SELECT position, trace_id FROM (
              SELECT position, trace_id, lag(trace_id) OVER (ORDER BY position) AS previous ${where}
            ) AS envelopes WHERE trace_id IS DISTINCT FROM previous ORDER BY position`,
          values,
          options,
        )
      : [{ position: String(first + from), trace_id: row?.trace_id ?? "" }];
  for (const begin of begins) {
    const id = fromStoredText(begin.trace_id!);
    const ordinal = ordinals.get(id) ?? ordinals.size;
    ordinals.set(id, ordinal);
    columns.traces.fill(ordinal, Number(begin.position) - first, to);
  }
}
