import { durationMs, type Span, spanError, spanUsage } from "../model/span.js";
import { placeOf, type TimeAxis } from "../model/time-axis.js";
import { type FoldState, isFolded, type TraceLine } from "../model/trace-rows.js";
import type { TraceRow } from "./trace-protocol.js";

export function traceRow(
  { span, depth, aside }: TraceLine,
  axis: TimeAxis,
  folds: FoldState,
  hits: ReadonlySet<number>,
): TraceRow {
  return {
    id: span.id,
    sequence: span.start.sequence,
    depth,
    aside,
    kind: span.kind,
    type: span.start.type,
    name: span.name,
    preview: span.start.preview || (span.end?.preview ?? ""),
    agentId: span.agentId,
    state: span.state,
    at: span.start.at,
    durationMs: durationMs(span),
    derived: span.start.derived,
    x0: placeOf(axis, span.start.at),
    x1: placeOf(axis, span.endAt),
    error: spanError(span),
    usage: spanUsage(span),
    contextTokens: span.contextTokens,
    addedTokens: span.addedTokens,
    children: span.children.length,
    folded: isFolded(span, folds),
    totals: span.totals,
    hit: isHit(span, hits),
  };
}

/** Whether an envelope of a span itself was found: a row that stands for other spans is no hit. */
function isHit(span: Span, hits: ReadonlySet<number>): boolean {
  if (span.kind === "group" || (span.kind === "agent" && span.id.startsWith("agent:"))) return false;
  return hits.has(span.start.sequence) || (span.end !== undefined && hits.has(span.end.sequence));
}
