import { identityOf } from "../../recording/open-span.js";
import type { SpanIdentity } from "../../recording/run-span.js";
import { possibleId } from "../../recording/session-writer.js";
import type { IndexedSpan } from "./read-spans.js";

/**
 * The sessions that a recorder may make of traces with agents or calls: those that their spans name, else the traces themselves. Which of
 * several names a run is recorded under is the recorder's to say, so of some of them there may be no session.
 */
export function sessionsOfRuns(traces: readonly (readonly IndexedSpan[])[]): readonly string[] {
  const found = new Set<string>();
  for (const trace of traces) {
    if (!trace.some(({ isOfRun }) => isOfRun)) continue;
    let isNamed = false;
    for (const { sessionId } of trace) {
      if (sessionId === undefined) continue;
      isNamed = true;
      found.add(possibleId(sessionId));
    }
    if (!isNamed || mayForgetName(trace)) found.add(trace[0]!.traceId);
  }
  return [...found];
}

/** Returns the sessions of traces that contain only steps: one for each trace with an ended step. */
export function sessionsOfSteps(traces: readonly (readonly IndexedSpan[])[]): string[] {
  const ended = traces.filter((trace) => trace.some(({ endedAt }) => endedAt !== undefined));
  return [...new Set(ended.map((trace) => sessionOfSteps(trace[0]!.traceId, identityIn(trace))))];
}

/** @param identity what the spans of the trace say of whose it is */
export function sessionOfSteps(traceId: string, { sessionId }: SpanIdentity): string {
  return sessionId === undefined ? traceId : possibleId(sessionId);
}

/** Returns the identity of a trace, from the first spans that state it. */
export function identityIn(trace: readonly IndexedSpan[]): SpanIdentity {
  const byTime = trace.toSorted((a, b) => a.startedAt - b.startedAt || (a.spanId < b.spanId ? -1 : 1));
  let identity: SpanIdentity = {};
  for (const span of byTime) identity = { ...identityOf(span), ...identity };
  return identity;
}

/** Number of spans that a recorder remembers. */
const REMEMBERED = 10_000;

/** True if spans of a trace may be recorded without its root, which gives the recorder the name of the trace. */
function mayForgetName(trace: readonly IndexedSpan[]): boolean {
  return trace.length > REMEMBERED || hasCircle(trace);
}

/** True if parents form a cycle. */
function hasCircle(trace: readonly IndexedSpan[]): boolean {
  const parents = new Map(trace.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]));
  const ends = new Set<string>();
  for (const { spanId } of trace) {
    const way = new Set<string>();
    let at: string | undefined = spanId;
    for (; at !== undefined && !ends.has(at); at = parents.get(at)) {
      if (way.has(at)) return true;
      way.add(at);
    }
    for (const id of way) ends.add(id);
  }
  return false;
}
