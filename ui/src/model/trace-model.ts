import { buildSpans } from "./build-spans.js";
import { addContextGrowth, type ContextPoint } from "./context-growth.js";
import type { EventFacts } from "./event-facts.js";
import { foldPoints } from "./fold-points.js";
import { nestAgents } from "./nest-agents.js";
import { newSpan, type Span, type SpanTotals, walkSpans } from "./span.js";
import { addTotals } from "./span-totals.js";
import { activeStretches, type Gap, idleGaps } from "./time-axis.js";

/** Everything that the views of a trace are made of. */
export interface TraceModel {
  readonly events: readonly EventFacts[];
  readonly roots: readonly Span[];
  /** By id; an end is found under the span that it ends. */
  readonly spans: ReadonlyMap<string, Span>;
  readonly totals: SpanTotals;
  readonly growth: readonly ContextPoint[];
  readonly from: number;
  readonly to: number;
  readonly gaps: readonly Gap[];
  readonly activeMs: number;
}

export function traceModel(events: readonly EventFacts[], knownAgents: ReadonlySet<string>): TraceModel {
  const roots = foldPoints(nestAgents(buildSpans(events, withSpawned(events, knownAgents))));
  const spans = new Map<string, Span>();
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { at } of events) {
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  if (events.length === 0) from = to = 0;
  const totals = addTotals(roots);
  walkSpans(roots, (span) => {
    // What is open goes on until the last thing that is known.
    if (span.state === "open") span.endAt = Math.max(span.endAt, to);
    spans.set(span.id, span);
    if (span.end !== undefined && !spans.has(span.end.id)) spans.set(span.end.id, span);
  });
  const stretches = activeStretches(roots);
  return {
    events,
    roots,
    spans,
    totals,
    growth: addContextGrowth(roots),
    from,
    to,
    gaps: idleGaps(stretches),
    activeMs: to - from - idleGaps(stretches).reduce((sum, gap) => sum + gap.to - gap.from, 0),
  };
}

/** One span for each event, for the plain list. */
export function eventSpans(model: TraceModel): Span[] {
  return model.events.map((event) => {
    const whole = model.spans.get(event.id);
    const span = newSpan(event, whole?.agentId ?? "");
    span.state = "point";
    span.totals = { ...span.totals, errors: event.error === undefined ? 0 : 1 };
    return whole !== undefined && whole.name !== "" && span.name === ""
      ? { ...span, name: whole.name }
      : span;
  });
}

function withSpawned(events: readonly EventFacts[], known: ReadonlySet<string>): Set<string> {
  const agents = new Set(known);
  for (const { kind, phase, agentId, source } of events) {
    if (source === "orchestration" && kind === "agent" && phase === "start" && agentId) agents.add(agentId);
  }
  return agents;
}
