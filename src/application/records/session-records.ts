import type { RecordBatch } from "../../domain/json/record-batch.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { TraceSequenceMerge } from "../../domain/trace/trace-sequence-merge.js";
import type { ReadOptions, TraceStream } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { readAllRecords, streamOf } from "../sources/record-streams.js";
import { runInSlices } from "../threads/slices.js";
import type { RecordPosition } from "./record-position.js";
import type { TraceOrders } from "./trace-orders.js";

/** A batch of a session's records, as a search goes through them. */
export interface SearchedBatch {
  readonly records: "envelopes" | "messages";
  /** Of the batch's first record. */
  readonly place: RecordPosition;
  readonly batch: RecordBatch;
  /** True if an envelope's position in its list is its `sequence`. */
  readonly isNumbered: boolean;
  /**
   * Returns the messages that the envelopes at these positions show; -1 for an envelope without one. Absent if the source does not report
   * this.
   */
  readonly messagesOf?: ((places: readonly number[]) => Promise<Int32Array>) | undefined;
}

export const BEGINNING: RecordPosition = { list: "trace", at: 0, skip: 0 };

/**
 * Yields the records of a session to search, from a position on. First come its envelopes in the order of `sequence`. Then come the
 * messages of its conversation, unless the source reports which messages the envelopes show. A batch is read when it is requested.
 */
export async function* searchedBatches(
  session: SessionSnapshot,
  orders: TraceOrders,
  key: SessionKey,
  from: RecordPosition,
  options: ReadOptions,
): AsyncGenerator<SearchedBatch, void> {
  const trace = await session.trace();
  yield* envelopeBatches(session, trace, orders, key, from, options);
  if (trace.messagesOf !== undefined) return;
  const messages = await session.messages();
  const batches = messages.read(startIn(from)("messages", messages.size), options);
  for await (const [place, batch] of placed("messages", from, batches)) {
    yield { records: "messages", place, batch, isNumbered: false };
  }
}

/** The envelopes of a session, from a place on: those of the runtime in the order of `sequence`, then those of the orchestration. */
export async function* envelopeBatches(
  session: SessionSnapshot,
  trace: TraceStream,
  orders: TraceOrders,
  { tenantId, sessionId }: SessionKey,
  from: RecordPosition,
  options: ReadOptions,
): AsyncGenerator<SearchedBatch, void> {
  const order = await orders.of(trace.keys);
  const { positions, renumbered } = order;
  const startOf = startIn(from);
  if (from.list === "trace") {
    const batches = trace.read({ positions, ...startOf("trace", trace.size) }, options);
    const places = (at: readonly number[]) => Uint32Array.from(at, (place) => positions?.[place] ?? place);
    const messagesOf =
      trace.messagesOf && ((at: readonly number[]) => trace.messagesOf!(places(at), options));
    for await (const [place, batch] of placed("trace", from, batches)) {
      yield { records: "envelopes", place, batch, isNumbered: renumbered, messagesOf };
    }
  }
  if (from.list === "messages") return;
  const events = await readAllRecords<unknown>((await session.orchestration()).events, options);
  const merge = new TraceSequenceMerge(order);
  const envelopes = merge.orchestrationEnvelopes(tenantId, sessionId, events);
  const stream = streamOf(await runInSlices(envelopes, options.signal));
  const batches = stream.read(startOf("orchestration", stream.size), options);
  for await (const [place, batch] of placed("orchestration", from, batches)) {
    yield { records: "envelopes", place, batch, isNumbered: false };
  }
}

/** Returns the part of a list after the position. The list may have become shorter since the position was returned. */
function startIn(place: RecordPosition) {
  return (list: RecordPosition["list"], size: number) => ({
    from: place.list === list ? Math.min(place.at, size) : 0,
    to: size,
  });
}

/** Each batch with the place of its first record. */
async function* placed(
  list: RecordPosition["list"],
  from: RecordPosition,
  batches: AsyncIterable<RecordBatch>,
): AsyncGenerator<readonly [RecordPosition, RecordBatch], void> {
  let place = from.list === list ? from : { list, at: 0, skip: 0 };
  for await (const batch of batches) {
    yield [place, batch];
    place = { list, at: place.at + batch.size, skip: 0 };
  }
}
