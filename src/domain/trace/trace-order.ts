import { isPause } from "../lists/is-pause.js";
import { sortByRuns } from "./sort-by-runs.js";

/** Columns by position in stored order: a million envelopes take a few megabytes, and can be sent to a thread. */
export interface TraceKeys {
  readonly size: number;
  /** Indexes into `traceIds`, by first appearance. */
  readonly traces: Uint32Array;
  /** `NaN` unless the stored value is an integer of at least 0. */
  readonly sequences: Float64Array;
  /** Milliseconds since the epoch; `NaN` without an instant. */
  readonly instants: Float64Array;
  /** `""` if envelopes have none. */
  readonly traceIds: readonly string[];
}

export interface TraceOrder {
  readonly size: number;
  /** Stored positions in merged order; `undefined` for the stored order itself. */
  readonly positions: Uint32Array | undefined;
  /** True if sequences are 0, 1, 2, … instead of the stored ones. */
  readonly renumbered: boolean;
  /** Sequence of the first orchestration event. */
  readonly nextSequence: number;
  /** The last present instant. */
  readonly lastInstant: number | undefined;
  /** `""` for an empty list. */
  readonly lastTraceId: string;
}

/**
 * Orders runtime envelopes. Each trace is a queue by `sequence` (ties: instant, then stored order); the queue with the earliest head
 * yields it, repeatedly (ties: the trace that began first). This equals one sort by (latest instant of the queue so far, rank of the
 * trace, position in the queue), and each queue is already an ascending run. An envelope without a sequence stays after its stored
 * predecessor; one without an instant takes that of its predecessor in the queue.
 * @throws RangeError for keys that name a trace outside of `traceIds`
 */
export function* orderTrace(keys: TraceKeys): Generator<void, TraceOrder> {
  const positions = (yield* isInOrder(keys)) ? undefined : yield* mergedPositions(keys);
  return yield* numberOrder(keys, positions);
}

/** True for nearly every history: one pass, without memory. */
function* isInOrder(keys: TraceKeys): Generator<void, boolean> {
  let highest = Number.NEGATIVE_INFINITY;
  const lastSequence: number[] = [];
  const lastInstant: number[] = [];
  let current = 0;
  for (let i = 0; i < keys.size; i++) {
    const trace = traceAt(keys, i);
    const sequence = keys.sequences[i]!;
    const instant = keys.instants[i]!;
    if (Number.isNaN(sequence) || Number.isNaN(instant)) return false;
    // Traces with equal instants need the sort, which ranks traces.
    if (trace !== current && instant <= highest) return false;
    if (sequence <= (lastSequence[trace] ?? -1)) return false;
    if (keys.size > 1 && trace !== current && lastInstant[trace] !== undefined) return false;
    lastSequence[trace] = sequence;
    lastInstant[trace] = instant;
    highest = Math.max(highest, instant);
    current = trace;
    if (isPause(i)) yield;
  }
  return true;
}

function* mergedPositions(keys: TraceKeys): Generator<void, Uint32Array> {
  const order = new Uint32Array(keys.size);
  const begins = yield* queueByTrace(keys, order);
  const { sequences, instants } = yield* carriedForward(keys, order, begins);
  const compare = (a: number, b: number) =>
    sequences[a]! - sequences[b]! || compareInstants(instants[a]!, instants[b]!) || a - b;
  const place = new Uint32Array(keys.size);
  const reached = new Float64Array(keys.size);
  const heads: number[] = [];
  for (let trace = 0; trace + 1 < begins.length; trace++) {
    const begin = begins[trace]!;
    const end = begins[trace + 1]!;
    yield* sortByRuns(order.subarray(begin, end), compare);
    heads.push(firstInstant(keys, order, begin, end));
    let highest = heads[trace]!;
    for (let i = begin; i < end; i++) {
      const position = order[i]!;
      const instant = keys.instants[position]!;
      if (instant > highest) highest = instant;
      reached[position] = highest;
      place[position] = i;
      if (isPause(i)) yield;
    }
  }
  const rank = rankTraces(heads, begins, order);
  yield* sortByRuns(
    order,
    (a, b) =>
      reached[a]! - reached[b]! || rank[keys.traces[a]!]! - rank[keys.traces[b]!]! || place[a]! - place[b]!,
  );
  return order;
}

/** Returns the beginnings of the traces, and the end. */
function* queueByTrace(keys: TraceKeys, order: Uint32Array): Generator<void, number[]> {
  const counts: number[] = [];
  for (let i = 0; i < keys.size; i++) {
    const trace = traceAt(keys, i);
    counts[trace] = (counts[trace] ?? 0) + 1;
    if (isPause(i)) yield;
  }
  const begins = [0];
  for (const count of counts) begins.push(begins[begins.length - 1]! + (count ?? 0));
  const next = [...begins];
  for (let i = 0; i < keys.size; i++) {
    const trace = keys.traces[i]!;
    order[next[trace]!] = i;
    next[trace] = next[trace]! + 1;
    if (isPause(i)) yield;
  }
  return begins;
}

/** The check prevents a search through billions of queues for a trace without an id. */
function traceAt({ traces, traceIds }: TraceKeys, position: number): number {
  const trace = traces[position]!;
  if (trace < traceIds.length) return trace;
  throw new RangeError(`The keys of envelope ${position} name trace ${trace} of ${traceIds.length}.`);
}

/** Missing values take the previous one of the queue, in stored order. Without missing values the result is the keys' own columns. */
function* carriedForward(
  keys: TraceKeys,
  order: Uint32Array,
  begins: readonly number[],
): Generator<void, Pick<TraceKeys, "sequences" | "instants">> {
  const sequences = yield* columnCarriedForward(keys.sequences, -1, order, begins);
  const instants = yield* columnCarriedForward(keys.instants, Number.NEGATIVE_INFINITY, order, begins);
  return { sequences, instants };
}

/** @param first value before the first present one */
function* columnCarriedForward(
  column: Float64Array,
  first: number,
  order: Uint32Array,
  begins: readonly number[],
): Generator<void, Float64Array> {
  let carried: Float64Array | undefined;
  let trace = 0;
  let last = first;
  for (let i = 0; i < order.length; i++) {
    while (begins[trace + 1] === i) {
      trace++;
      last = first;
    }
    const position = order[i]!;
    const own = column[position]!;
    if (Number.isNaN(own)) {
      carried ??= column.slice();
      carried[position] = last;
    } else last = own;
    if (isPause(i)) yield;
  }
  return carried ?? column;
}

/** `-` alone would give NaN for two infinities. */
function compareInstants(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function firstInstant(keys: TraceKeys, order: Uint32Array, begin: number, end: number): number {
  for (let i = begin; i < end; i++) {
    const instant = keys.instants[order[i]!]!;
    if (!Number.isNaN(instant)) return instant;
  }
  return Number.MIN_SAFE_INTEGER;
}

/** By the instant of the head, then its stored position. */
function rankTraces(heads: readonly number[], begins: readonly number[], order: Uint32Array): number[] {
  const traces = heads.map((_, trace) => trace);
  traces.sort((a, b) => heads[a]! - heads[b]! || order[begins[a]!]! - order[begins[b]!]!);
  const rank: number[] = [];
  traces.forEach((trace, at) => {
    rank[trace] = at;
  });
  return rank;
}

/** Stored sequences stay if they strictly increase; otherwise the list is numbered from 0. */
function* numberOrder(keys: TraceKeys, positions: Uint32Array | undefined): Generator<void, TraceOrder> {
  let renumbered = false;
  let previous = -1;
  let lastInstant: number | undefined;
  let lastTrace: number | undefined;
  for (let i = 0; i < keys.size; i++) {
    const position = positions === undefined ? i : positions[i]!;
    const sequence = keys.sequences[position]!;
    const instant = keys.instants[position]!;
    if (!(sequence > previous)) renumbered = true;
    previous = sequence;
    if (!Number.isNaN(instant)) lastInstant = instant;
    lastTrace = keys.traces[position]!;
    if (isPause(i)) yield;
  }
  return {
    size: keys.size,
    positions,
    renumbered,
    nextSequence: renumbered ? keys.size : previous + 1,
    lastInstant,
    lastTraceId: lastTrace === undefined ? "" : keys.traceIds[lastTrace]!,
  };
}
