import { orchestrationEnvelopes, type RuntimeEnd } from "../domain/orchestration-envelopes.js";
import { orderTraceSteps, type TraceKeys, type TraceOrder } from "../domain/trace-order.js";
import { runInSlices } from "./breathe.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList } from "./json-list.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import type { ReadOptions, RecordStream, TraceStream } from "./ports/record-stream.js";
import { renumber } from "./renumber.js";
import { openSession, type SessionRequest } from "./session-access.js";
import { openTrace, streamOf } from "./text-stream.js";
import { decodeCursor, encodeCursor, listName, type Window } from "./window.js";

/** The merged trace of a session: its runtime envelopes, then its orchestration events, in `sequence` order. */
export class GetSessionTrace {
  readonly #source: InspectorDataSource;
  /** The order of keys that are still in use: a source hands out the same keys while the trace is the same. */
  readonly #orders = new WeakMap<TraceKeys, Promise<TraceOrder>>();

  constructor(source: InspectorDataSource) {
    this.#source = source;
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a cursor that was not issued for this trace
   */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { tenantId, sessionId, window = {} } = request;
    const list = listName("trace", tenantId, sessionId);
    const begin = placeOf(list, window);
    const session = await openSession(this.#source, request, options);
    if (session.isUnchanged) return session;

    const runtime = await openTrace(this.#source, tenantId, sessionId, options);
    const order = await this.#orderOf(runtime.keys);
    const runtimeFrom = begin.section === "runtime" ? Math.min(begin.at, runtime.size) : runtime.size;
    const runtimeTo = Math.min(runtime.size, runtimeFrom + (window.limit ?? runtime.size));
    const rest = (window.limit ?? Number.POSITIVE_INFINITY) - (runtimeTo - runtimeFrom);

    const orchestration =
      runtimeTo === runtime.size
        ? await this.#orchestration(tenantId, sessionId, order, options)
        : streamOf([]);
    const from = begin.section === "orchestration" ? Math.min(begin.at, orchestration.size) : 0;
    const to = Math.min(orchestration.size, from + rest);

    const isAtEnd = runtimeTo === runtime.size && to === orchestration.size;
    const next = runtimeTo < runtime.size ? `r${runtimeTo}` : `o${to}`;
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: mergedTexts(runtime, order, [runtimeFrom, runtimeTo], orchestration, [from, to], options),
      warnings: runtime.warnings,
      ...(window.limit === undefined ? {} : { nextCursor: isAtEnd ? null : encodeCursor(list, next) }),
    };
  }

  #orderOf(keys: TraceKeys): Promise<TraceOrder> {
    const known = this.#orders.get(keys);
    if (known !== undefined) return known;
    const order = runInSlices(orderTraceSteps(keys));
    this.#orders.set(keys, order);
    return order;
  }

  async #orchestration(
    tenantId: string,
    sessionId: string,
    runtimeEnd: RuntimeEnd,
    options: ReadOptions,
  ): Promise<RecordStream> {
    const events = await this.#source.loadOrchestrationEvents(tenantId, sessionId, options);
    return streamOf(orchestrationEnvelopes(tenantId, sessionId, events, runtimeEnd));
  }
}

/** A place in the trace: events that are added to one section do not move the places of the other. */
interface TracePlace {
  readonly section: "runtime" | "orchestration";
  readonly at: number;
}

function placeOf(list: string, { cursor }: Window): TracePlace {
  if (cursor === undefined) return { section: "runtime", at: 0 };
  const place = decodeCursor(list, cursor, /^[ro]\d{1,15}$/);
  return { section: place.startsWith("r") ? "runtime" : "orchestration", at: Number(place.slice(1)) };
}

type Part = readonly [from: number, to: number];

async function* mergedTexts(
  runtime: TraceStream,
  order: TraceOrder,
  [runtimeFrom, runtimeTo]: Part,
  orchestration: RecordStream,
  [from, to]: Part,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  let at = runtimeFrom;
  const selection = { positions: order.positions, from: runtimeFrom, to: runtimeTo };
  for await (const batch of runtime.read(selection, options)) {
    yield order.renumbered ? await renumber(batch, at) : batch.text;
    at += batch.size;
  }
  yield* textsOf(orchestration, { from, to }, options);
}
