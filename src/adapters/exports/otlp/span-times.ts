import type { EventFacts } from "../../../domain/spans/event-facts.js";
import type { PlannedSpan } from "./planned-spans.js";

interface Boundary {
  /** Milliseconds, as an integer. */
  readonly at: number;
  readonly place: number;
  /** Order at one place: starts from outside in, then events, then ends from inside out. */
  readonly rank: number;
  readonly of: PlannedSpan | EventFacts;
  readonly isEnd: boolean;
}

/** Nanoseconds: readers hold instants as numbers, and cannot separate smaller differences. */
const STEP = 1_000;
const MILLISECOND = 1_000_000;

/** Adds offsets in nanoseconds to events of one millisecond, because readers order spans only by time. */
export class SpanTimes {
  readonly #starts = new Map<PlannedSpan | EventFacts, number>();
  readonly #ends = new Map<PlannedSpan | EventFacts, number>();

  /** @param spans parents before children */
  constructor(spans: readonly PlannedSpan[]) {
    const boundaries = boundariesOf(spans);
    boundaries.sort((a, b) => a.at - b.at || a.place - b.place || a.rank - b.rank);
    for (let from = 0; from < boundaries.length; ) {
      const { at } = boundaries[from]!;
      let to = from + 1;
      while (boundaries[to]?.at === at) to++;
      const step = Math.min(STEP, Math.floor((MILLISECOND - 1) / (to - from)));
      for (let i = from; i < to; i++) {
        const { of, isEnd } = boundaries[i]!;
        (isEnd ? this.#ends : this.#starts).set(of, (i - from) * step);
      }
      from = to;
    }
  }

  startOf(of: PlannedSpan | EventFacts): number {
    return this.#starts.get(of) ?? 0;
  }

  endOf(span: PlannedSpan): number {
    return this.#ends.get(span) ?? 0;
  }
}

export function roundedMs(at: number): number {
  return Math.max(0, Math.floor(at));
}

function boundariesOf(spans: readonly PlannedSpan[]): Boundary[] {
  const first = new Map<PlannedSpan, number>();
  const last = new Map<PlannedSpan, number>();
  for (const planned of spans.toReversed()) {
    const { span, parent, points } = planned;
    const own = span === undefined || span.start.source === "orchestration" ? [] : [span.start.index];
    const end = span?.end === undefined || span.end.source === "orchestration" ? own : [span.end.index];
    const places = points.map(({ index }) => index);
    const from = Math.min(first.get(planned) ?? Infinity, ...own);
    const to = Math.max(last.get(planned) ?? -1, ...end);
    const inner = places.reduce((most, place) => Math.max(most, place), to);
    first.set(planned, Math.min(from, places[0] ?? from));
    last.set(planned, inner);
    if (parent === undefined) continue;
    first.set(parent, Math.min(first.get(parent) ?? Infinity, first.get(planned)!));
    last.set(parent, Math.max(last.get(parent) ?? -1, inner));
  }
  return spans.flatMap((planned): Boundary[] => {
    const { startAt, endAt, depth, points } = planned;
    return [
      {
        at: roundedMs(startAt),
        place: first.get(planned)!,
        rank: depth - MOST_DEPTH,
        of: planned,
        isEnd: false,
      },
      ...points.map((of) => ({ at: roundedMs(of.at), place: of.index, rank: 0, of, isEnd: false })),
      { at: roundedMs(endAt), place: last.get(planned)!, rank: MOST_DEPTH - depth, of: planned, isEnd: true },
    ];
  });
}

const MOST_DEPTH = 1e9;
