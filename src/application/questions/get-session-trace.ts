import { firstWhere } from "../../domain/lists/lists.js";
import { keyText } from "../../domain/session/session-key.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { TraceKeys, TraceOrder } from "../../domain/trace/trace-order.js";
import { TraceSequenceMerge } from "../../domain/trace/trace-sequence-merge.js";
import { decodeCursor, encodeCursor, type SessionRequest, type Window } from "../listing/window.js";
import type { ReadOptions, RecordWarning, TraceStream } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { openSession } from "../records/open-session.js";
import { fingerprintOfRecord, readAllRecords, streamOf } from "../sources/record-streams.js";
import { runInSlices } from "../threads/slices.js";
import { type JsonList, type ListOptions, textsOf, type UnchangedList, unchanged } from "./json-list.js";
import {
  type ListGrowth,
  type ListSection,
  type PreviousList,
  previousList,
  type SectionGrowth,
  sectionsGrowth,
} from "./list-growth.js";
import { TraceQuestion } from "./trace-question.js";

/** The merged trace of a session: its runtime envelopes, then its orchestration events, in `sequence` order. */
export class GetSessionTrace extends TraceQuestion {
  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a cursor that was not issued for this trace
   */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<JsonList | UnchangedList> {
    const { tenantId, sessionId, window = {} } = request;
    const list = keyText(request, "trace");
    const wanted = placeOf(list, window);
    const previous = window.since === undefined ? undefined : previousList(list, window.since);
    const session = await openSession(this.source, request, options);
    const same = unchanged(session.revision, options);
    if (same !== undefined) return same;

    if (window.limit === undefined) session.begin?.(["trace", "orchestration"]);
    const runtime = await session.trace();
    const merge = new TraceSequenceMerge(await this.orders.of(runtime.keys));
    const begin = wanted ?? placeOfSequence(runtime.keys, merge.order, window.from ?? 0);
    const runtimeFrom = begin.section === "runtime" ? Math.min(begin.at, runtime.size) : runtime.size;
    const runtimeTo = Math.min(runtime.size, runtimeFrom + (window.limit ?? runtime.size));
    const rest = (window.limit ?? Number.POSITIVE_INFINITY) - (runtimeTo - runtimeFrom);

    const { events, warnings } = runtimeTo === runtime.size ? await eventsOf(session, options) : NO_EVENTS;
    const from = begin.section === "orchestration" ? Math.min(begin.at, events.length) : 0;
    const to = Math.min(events.length, from + rest);
    const envelopes = merge.orchestrationEnvelopes(tenantId, sessionId, events, [from, to]);
    const orchestration = await runInSlices(envelopes, options.signal);
    const growth =
      previous && (await traceGrowth(list, { merge, runtime, orchestration }, previous, options.signal));
    const retained = growth?.moved?.count ?? 0;

    const isAtEnd = runtimeTo === runtime.size && to === events.length;
    const next = runtimeTo < runtime.size ? `r${runtimeTo}` : `o${to}`;
    return {
      isUnchanged: false,
      revision: session.revision,
      texts: mergedTexts(
        { merge, runtime, orchestration },
        [growth?.from ?? runtimeFrom, runtimeTo, retained],
        options,
      ),
      warnings: [...runtime.warnings, ...warnings],
      growth,
      ...(window.limit === undefined ? {} : { nextCursor: isAtEnd ? null : encodeCursor(list, next) }),
    };
  }
}

interface MergedTrace {
  readonly merge: TraceSequenceMerge;
  readonly runtime: TraceStream;
  readonly orchestration: readonly WorkflowTraceEventEnvelope[];
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

interface TraceCursor {
  readonly section: "runtime" | "orchestration";
  readonly at: number;
}

function placeOf(list: string, { cursor }: Window): TraceCursor | undefined {
  if (cursor === undefined) return undefined;
  const place = decodeCursor(list, cursor, /^[ro]\d{1,15}$/);
  return { section: place.startsWith("r") ? "runtime" : "orchestration", at: Number(place.slice(1)) };
}

function placeOfSequence({ sequences }: TraceKeys, order: TraceOrder, sequence: number): TraceCursor {
  const { size, positions, renumbered, nextSequence } = order;
  if (sequence >= nextSequence) return { section: "orchestration", at: sequence - nextSequence };
  if (renumbered) return { section: "runtime", at: sequence };
  const at = firstWhere(0, size, (place) => sequences[positions?.[place] ?? place]! >= sequence);
  return { section: "runtime", at };
}

type Part = readonly [from: number, to: number, left: number];

async function* mergedTexts(
  { merge, runtime, orchestration }: MergedTrace,
  [from, to, left]: Part,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  const { size } = runtime;
  let at = Math.min(from, size);
  const selection = { positions: merge.order.positions, from: at, to };
  for await (const batch of runtime.read(selection, options)) {
    yield await runInSlices(merge.runtimeText(batch, at), options.signal);
    at += batch.size;
  }
  const part = { from: Math.max(left, from - size), to: orchestration.length };
  yield* textsOf(streamOf(orchestration), part, options);
}

async function traceGrowth(
  list: string,
  { merge, runtime, orchestration }: MergedTrace,
  previous: PreviousList,
  signal: AbortSignal | undefined,
): Promise<ListGrowth> {
  const { size } = runtime;
  const unnumbered = {
    size: orchestration.length,
    fingerprintAt: (at: number) => fingerprintOfRecord({ ...orchestration[at], sequence: 0 }),
  };
  const grown = await sectionsGrowth(list, [mergedSection(merge, runtime), unnumbered], previous, signal);
  const [first, second] = grown.sections as [SectionGrowth, SectionGrowth];
  const { syncToken } = grown;
  if (first.retained === size && first.previous === size) return { from: size + second.retained, syncToken };
  const moved = {
    from: first.previous,
    count: second.retained,
    to: size,
    sequence: merge.order.nextSequence,
  };
  return { from: first.retained, syncToken, ...(second.retained === 0 ? {} : { moved }) };
}

function mergedSection({ order }: TraceSequenceMerge, runtime: TraceStream): ListSection {
  const { positions, renumbered } = order;
  const { size } = runtime;
  if (runtime.fingerprintAt === undefined) return { size };
  const fingerprintAt = (place: number) => {
    const own = runtime.fingerprintAt!(positions?.[place] ?? place);
    return renumbered ? -own : own;
  };
  return { size, fingerprintAt };
}
