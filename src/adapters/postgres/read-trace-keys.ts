import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { TraceKeys } from "../../domain/trace-order.js";
import type { Database } from "./database.js";
import { toNumbers } from "./read-batch.js";
import type { RecordRange } from "./record-lists.js";
import { fromStoredText, toStoredText } from "./stored-text.js";

/** How many envelopes one block of keys holds, and one query reads. */
const BLOCK = 16_384;

/** The keys of some envelopes that follow one another. Never changed once they are here. */
interface KeyBlock {
  readonly traces: Uint32Array;
  readonly sequences: Float64Array;
  readonly instants: Float64Array;
  /** How long each envelope is, in bytes. */
  readonly lengths: Uint32Array;
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
    return 512 + this.size * 24 + this.#traceIds.length * 128;
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

  lengthAt(position: number): number {
    return this.#blocks[Math.floor(position / BLOCK)]!.lengths[position % BLOCK]!;
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

/** The numbers of a block come as one row; so does its trace, where it is a single one. */
async function readBlock(
  database: Database,
  range: RecordRange,
  from: number,
  ordinals: Map<string, number>,
  options?: ReadOptions,
): Promise<KeyBlock> {
  const { table, tenantId, sessionId, first } = range;
  const to = Math.min(from + BLOCK, range.size);
  const values = [toStoredText(tenantId), toStoredText(sessionId), first + from, first + to];
  const where = `FROM ${database.schema}.${table}
    WHERE tenant_id = $1 AND session_id = $2 AND position >= $3 AND position < $4`;
  const [row] = await database.query(
    `SELECT array_agg(sequence ORDER BY position) AS sequences, array_agg(instant ORDER BY position) AS instants,
        array_agg(bytes ORDER BY position) AS lengths,
        CASE WHEN min(trace_id) = max(trace_id) THEN min(trace_id) END AS trace_id ${where}`,
    values,
    options,
  );
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
  const traces = new Uint32Array(to - from);
  for (const begin of begins) {
    const id = fromStoredText(begin.trace_id!);
    const ordinal = ordinals.get(id) ?? ordinals.size;
    ordinals.set(id, ordinal);
    traces.fill(ordinal, Number(begin.position) - first - from);
  }
  return {
    traces,
    sequences: toNumbers(row?.sequences, to - from),
    instants: toNumbers(row?.instants, to - from),
    lengths: Uint32Array.from(toNumbers(row?.lengths, to - from)),
  };
}
