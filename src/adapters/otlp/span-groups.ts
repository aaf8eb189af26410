import type { IndexedSpan } from "./read-spans.js";

/** Traces that are told to one recorder, because they share sessions. */
export interface SpanGroup {
  /** The same one whatever is added to the group, as long as its first trace is the same. */
  readonly key: string;
  /** Is another one whenever a span is added or sent again. */
  readonly stamp: string;
  /** The spans of each trace, each once. */
  readonly traces: readonly (readonly IndexedSpan[])[];
}

const SPANS_PER_PAUSE = 1_000;

/** Puts together the spans of a trace, whichever files they lie in, and the traces of a session. */
export function* groupSpans(files: Iterable<readonly IndexedSpan[]>): Generator<void, SpanGroup[]> {
  const traces = new Map<string, Map<string, IndexedSpan>>();
  let count = 0;
  for (const spans of files) {
    for (const span of spans) {
      const trace = traces.get(span.traceId) ?? new Map<string, IndexedSpan>();
      traces.set(span.traceId, trace);
      const known = trace.get(span.spanId);
      // One that was sent again: the one that ended later is the fuller, else the last one counts.
      if ((known?.endedAt ?? 0) <= (span.endedAt ?? 0)) trace.set(span.spanId, span);
      if (++count % SPANS_PER_PAUSE === 0) yield;
    }
  }
  const groups = new Groups();
  for (const [traceId, spans] of traces) {
    groups.join(traceId, traceId);
    for (const { sessionId } of spans.values()) if (sessionId !== undefined) groups.join(traceId, sessionId);
    yield;
  }
  const byName = new Map<string, IndexedSpan[][]>();
  for (const [traceId, spans] of traces) {
    const name = groups.nameOf(traceId);
    const members = byName.get(name) ?? [];
    members.push([...spans.values()]);
    byName.set(name, members);
    yield;
  }
  return [...byName].map(([key, members]) => ({ key, stamp: stampOf(members), traces: members }));
}

function stampOf(traces: readonly (readonly IndexedSpan[])[]): string {
  let count = 0;
  let sum = 0;
  for (const { length } of traces) count += length;
  for (const spans of traces) for (const { stamp } of spans) sum = (sum + stamp) % Number.MAX_SAFE_INTEGER;
  return `${count}.${sum}`;
}

/** Names of traces and sessions that belong together: a union of disjoint sets. */
class Groups {
  readonly #parents = new Map<string, string>();

  join(a: string, b: string): void {
    const [first, second] = [this.nameOf(a), this.nameOf(b)].sort() as [string, string];
    if (first !== second) this.#parents.set(second, first);
  }

  nameOf(name: string): string {
    let top = name;
    for (let next = this.#parents.get(top); next !== undefined; next = this.#parents.get(top)) top = next;
    if (top !== name) this.#parents.set(name, top);
    return top;
  }
}
