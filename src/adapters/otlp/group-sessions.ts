import { identityOf } from "../../recording/open-span.js";
import type { SpanIdentity } from "../../recording/run-span.js";
import { possibleId } from "../../recording/session-writer.js";
import type { IndexedSpan } from "./read-spans.js";

/**
 * Sessions of traces with agents or calls: those that their spans name, else the traces. The recorder decides among several names of a
 * run, so some of these sessions may not exist.
 */
export function sessionsOfRuns(traces: readonly (readonly IndexedSpan[])[]): readonly string[] {
  const sessionIds = new Set<string>();
  for (const trace of traces) {
    if (!trace.some(({ isOfRun }) => isOfRun)) continue;
    let isNamed = false;
    for (const { sessionId } of trace) {
      if (sessionId === undefined) continue;
      isNamed = true;
      sessionIds.add(possibleId(sessionId));
    }
    if (!isNamed || mayForgetName(trace)) sessionIds.add(trace[0]!.traceId);
  }
  return [...sessionIds];
}

/** For traces that contain only steps: one for each trace with an ended step. */
export function sessionsOfSteps(traces: readonly (readonly IndexedSpan[])[]): string[] {
  const ended = traces.filter((trace) => trace.some(({ endedAt }) => endedAt !== undefined));
  return [...new Set(ended.map((trace) => sessionOfSteps(trace[0]!.traceId, identityIn(trace))))];
}

export function sessionOfSteps(traceId: string, { sessionId }: SpanIdentity): string {
  return sessionId === undefined ? traceId : possibleId(sessionId);
}

export function identityIn(trace: readonly IndexedSpan[]): SpanIdentity {
  const byTime = trace.toSorted((a, b) => a.startedAt - b.startedAt || (a.spanId < b.spanId ? -1 : 1));
  let identity: SpanIdentity = {};
  for (const span of byTime) identity = { ...identityOf(span), ...identity };
  return identity;
}

const REMEMBERED = 10_000;

/** True if spans may be recorded without the root of the trace, which has its name. */
function mayForgetName(trace: readonly IndexedSpan[]): boolean {
  return trace.length > REMEMBERED || hasCircle(trace);
}

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
