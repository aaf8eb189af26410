import type {
  ReadOptions,
  RecordBatch,
  RecordSelection,
  RecordStream,
} from "../../application/ports/record-stream.js";
import type { Database } from "./database.js";
import { type BatchPlan, readBatch, readLengths } from "./read-batch.js";
import type { RecordRange } from "./record-lists.js";

/** About how many bytes a batch holds, and at most how many records. */
const BATCH_BYTES = 96 * 1024;
const BATCH_RECORDS = 8_192;

const decoder = new TextDecoder();

/**
 * The records of a range as a stream. Each batch is a query of its own, so that a slow reader holds no connection.
 *
 * @param lengthAt how long a record is, where somebody knows it already; without it, the database is asked
 */
export function streamRecords(
  database: Database,
  range: RecordRange,
  lengthAt?: (position: number) => number,
): RecordStream {
  const lengthsOf = (positions: Uint32Array, signal: AbortSignal) =>
    lengthAt === undefined ? readLengths(database, range, positions, signal) : positions.map(lengthAt);
  return {
    size: range.size,
    warnings: [],
    read: (selection, options) => readBatches(database, range, lengthsOf, selection, options),
  };
}

type LengthsOf = (positions: Uint32Array, signal: AbortSignal) => Promise<Uint32Array> | Uint32Array;

/** All records of a stream, parsed: for callers that asked for an array. */
export async function readAllRecords<T>(stream: RecordStream, options?: ReadOptions): Promise<T[]> {
  const records: T[] = [];
  for await (const batch of stream.read({ from: 0, to: stream.size }, options)) {
    for (let i = 0; i < batch.size; i++) {
      records.push(JSON.parse(decoder.decode(batch.text.subarray(batch.start(i), batch.end(i)))) as T);
    }
  }
  return records;
}

/** The next batch is on its way while the reader has this one. */
async function* readBatches(
  database: Database,
  range: RecordRange,
  lengthsOf: LengthsOf,
  selection: RecordSelection,
  { signal }: ReadOptions = {},
): AsyncGenerator<RecordBatch, void> {
  const left = new AbortController();
  const leave = () => left.abort(signal?.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", leave, { once: true });
  try {
    let next: Promise<RecordBatch> | undefined;
    for await (const positions of planBatches(lengthsOf, selection, left.signal)) {
      const ready = next;
      next = readBatch(database, range, positions, left.signal);
      next.catch(() => {}); // it is awaited in the next round; until then its failure is nobody's
      if (ready === undefined) continue;
      yield await ready;
      signal?.throwIfAborted();
    }
    if (next !== undefined) yield await next;
  } finally {
    signal?.removeEventListener("abort", leave);
    left.abort();
  }
}

async function* planBatches(
  lengthsOf: LengthsOf,
  { positions, from, to }: RecordSelection,
  signal: AbortSignal,
): AsyncGenerator<BatchPlan, void> {
  for (let at = from; at < to; ) {
    const end = Math.min(to, at + BATCH_RECORDS);
    const wanted = positions?.slice(at, end) ?? Uint32Array.from({ length: end - at }, (_, i) => at + i);
    const lengths = await lengthsOf(wanted, signal);
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
