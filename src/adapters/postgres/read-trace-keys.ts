import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { TraceKeys } from "../../domain/trace-order.js";
import type { Database } from "./database.js";
import type { RecordRange } from "./record-lists.js";
import { fromStoredText, toStoredText } from "./stored-text.js";

/** How many envelopes one block of keys holds, and one query reads. */
const BLOCK = 16_384;

/** The keys of some envelopes that follow one another. Never changed once they are here. */
interface KeyBlock {
  readonly traces: Uint32Array;
  readonly sequences: Float64Array;
  readonly instants: Float64Array;
}

/** The keys of a session's first envelopes. A trace only grows, so that later ones are added to full blocks. */
export class StoredTraceKeys implements TraceKeys {
  readonly size: number;
  readonly #blocks: readonly KeyBlock[];
  readonly #traceIds: readonly string[];

  constructor(size: number, blocks: readonly KeyBlock[], traceIds: readonly string[]) {
    this.size = size;
    this.#blocks = blocks;
    this.#traceIds = traceIds;
  }

  /** About how much memory the keys take. */
  get bytes(): number {
    return 512 + this.size * 20 + this.#traceIds.length * 128;
  }

  traceAt(position: number): number {
    return this.#blocks[Math.floor(position / BLOCK)]!.traces[position % BLOCK]!;
  }

  sequenceAt(position: number): number {
    return this.#blocks[Math.floor(position / BLOCK)]!.sequences[position % BLOCK]!;
  }

  instantAt(position: number): number {
    return this.#blocks[Math.floor(position / BLOCK)]!.instants[position % BLOCK]!;
  }

  traceId(trace: number): string {
    return this.#traceIds[trace]!;
  }

  /** These keys and those of the envelopes behind them, up to the end of the range. */
  async extend(database: Database, range: RecordRange, options?: ReadOptions): Promise<StoredTraceKeys> {
    const full = Math.floor(this.size / BLOCK);
    const blocks = this.#blocks.slice(0, full);
    const ordinals = new Map(this.#traceIds.map((id, ordinal) => [id, ordinal]));
    for (let from = full * BLOCK; from < range.size; from += BLOCK) {
      blocks.push(await readBlock(database, range, from, ordinals, options));
    }
    return new StoredTraceKeys(range.size, blocks, [...ordinals.keys()]);
  }
}

export const NO_STORED_KEYS = new StoredTraceKeys(0, [], []);

/** A block comes as one row: numbers as lists, and the id of a trace only where it is another than that before. */
async function readBlock(
  database: Database,
  { table, tenantId, sessionId, first, size }: RecordRange,
  from: number,
  ordinals: Map<string, number>,
  options?: ReadOptions,
): Promise<KeyBlock> {
  const to = Math.min(from + BLOCK, size);
  const [row] = await database.query(
    `SELECT array_to_string(array_agg(sequence ORDER BY position), ',') AS sequences,
        array_to_string(array_agg(instant ORDER BY position), ',') AS instants,
        json_agg(json_build_array(position, trace_id) ORDER BY position) FILTER (WHERE is_other) AS traces
      FROM (
        SELECT position, sequence, instant, trace_id,
          trace_id IS DISTINCT FROM lag(trace_id) OVER (ORDER BY position) AS is_other
        FROM ${database.schema}.${table}
        WHERE tenant_id = $1 AND session_id = $2 AND position >= $3 AND position < $4
      ) AS envelopes`,
    [toStoredText(tenantId), toStoredText(sessionId), first + from, first + to],
    options,
  );
  const traces = new Uint32Array(to - from);
  for (const [position, stored] of JSON.parse(row?.traces ?? "[]") as [number, string][]) {
    const id = fromStoredText(stored);
    const ordinal = ordinals.get(id) ?? ordinals.size;
    ordinals.set(id, ordinal);
    traces.fill(ordinal, position - first - from);
  }
  return { traces, sequences: toNumbers(row?.sequences), instants: toNumbers(row?.instants) };
}

function toNumbers(list: string | null | undefined): Float64Array {
  return Float64Array.from((list ?? "").split(","), Number);
}
