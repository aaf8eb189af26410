import { TraceSequenceMerge } from "../domain/trace-sequence-merge.js";
import { InProcessPool } from "./in-process-pool.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList, unchanged } from "./json-list.js";
import { beginningsOf, type FingerprintedList, listGrowth } from "./list-growth.js";
import { openSession, readAllRecords, type SessionRequest, streamOf } from "./open-session.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import type { ReadingPool } from "./ports/reading-pool.js";
import type { ReadOptions, RecordStream, RecordWarning, TraceStream } from "./ports/record-stream.js";
import type { SessionSnapshot } from "./ports/session-snapshot.js";
import { scopeToTenants } from "./scope-to-tenants.js";
import { runInSlices } from "./slices.js";
import { TraceOrders } from "./trace-orders.js";
import { decodeCursor, encodeCursor, listName, type Window } from "./window.js";

/** The merged trace of a session: its runtime envelopes, then its orchestration events, in `sequence` order. */
export class GetSessionTrace {
  readonly #source: InspectorDataSource;
  readonly #orders: TraceOrders;

  /**
   * @param pool where long traces are sorted. Default is the host's own event loop, in slices
   * @param orders the orders that are known already. Default is none
   */
  constructor(
    source: InspectorDataSource,
    pool: ReadingPool = new InProcessPool(),
    orders: TraceOrders = new TraceOrders(pool),
  ) {
    this.#source = source;
    this.#orders = orders;
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a cursor that was not issued for this trace
   */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { tenantId, sessionId, window = {}, tenants = "all" } = request;
    const list = listName("trace", tenantId, sessionId);
    const begin = placeOf(list, window);
    const known = window.since === undefined ? undefined : beginningsOf(list, window.since);
    const source = scopeToTenants(this.#source, tenants);
    const session = await openSession(source, request, options);
    const same = unchanged(session.revision, options);
    if (same !== undefined) return same;

    const runtime = await session.trace();
    const merge = new TraceSequenceMerge(await this.#orders.of(runtime.keys));
    const runtimeFrom = begin.section === "runtime" ? Math.min(begin.at, runtime.size) : runtime.size;
    const runtimeTo = Math.min(runtime.size, runtimeFrom + (window.limit ?? runtime.size));
    const rest = (window.limit ?? Number.POSITIVE_INFINITY) - (runtimeTo - runtimeFrom);

    const { events, warnings } = runtimeTo === runtime.size ? await eventsOf(session, options) : NO_EVENTS;
    const from = begin.section === "orchestration" ? Math.min(begin.at, events.length) : 0;
    const to = Math.min(events.length, from + rest);
    const envelopes = merge.orchestrationEnvelopes(tenantId, sessionId, events, [from, to]);
    const orchestration = streamOf(await runInSlices(envelopes, options.signal));
    const merged = { merge, runtime, orchestration };
    const growth = known && (await listGrowth(list, fingerprinted(merged), known, options.signal));

    const isAtEnd = runtimeTo === runtime.size && to === events.length;
    const next = runtimeTo < runtime.size ? `r${runtimeTo}` : `o${to}`;
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: mergedTexts(merged, [growth?.from ?? runtimeFrom, runtimeTo], options),
      warnings: [...runtime.warnings, ...warnings],
      growth,
      ...(window.limit === undefined ? {} : { nextCursor: isAtEnd ? null : encodeCursor(list, next) }),
    };
  }
}

/** The whole list, of which the orchestration envelopes may be some only. */
interface MergedTrace {
  readonly merge: TraceSequenceMerge;
  readonly runtime: TraceStream;
  readonly orchestration: RecordStream;
}

interface OrchestrationEvents {
  readonly events: readonly unknown[];
  readonly warnings: readonly RecordWarning[];
}

const NO_EVENTS: OrchestrationEvents = { events: [], warnings: [] };

async function eventsOf(session: SessionSnapshot, options: ReadOptions): Promise<OrchestrationEvents> {
  const { events } = await session.orchestration();
  return { events: await readAllRecords(events, options), warnings: events.warnings };
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
  { merge, runtime, orchestration }: MergedTrace,
  [from, to]: Part,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  const { size } = runtime;
  let at = Math.min(from, size);
  const selection = { positions: merge.order.positions, from: at, to };
  for await (const batch of runtime.read(selection, options)) {
    yield await runInSlices(merge.runtimeText(batch, at), options.signal);
    at += batch.size;
  }
  yield* textsOf(orchestration, { from: Math.max(0, from - size), to: orchestration.size }, options);
}

/** The fingerprints of the list: a runtime envelope that is numbered anew is another one, in the same place. */
function fingerprinted({ merge, runtime, orchestration }: MergedTrace): FingerprintedList {
  const { positions, renumbered } = merge.order;
  const runtimeAt = runtime.fingerprintAt?.bind(runtime);
  const { size } = runtime;
  const orchestrationAt = orchestration.fingerprintAt!;
  return {
    size: size + orchestration.size,
    seam: size,
    fingerprintAt:
      runtimeAt &&
      ((place) => {
        if (place >= size) return orchestrationAt(place - size);
        const own = runtimeAt(positions?.[place] ?? place);
        return renumbered ? -own : own;
      }),
  };
}
