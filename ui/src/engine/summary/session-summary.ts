import { ownErrors, type Span, spanUsage, walkSpans } from "../../../../src/domain/spans/span.js";
import { addCost, type Cost } from "../../../../src/domain/usage/money.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../../../../src/domain/usage/token-usage.js";
import { positionOf, timeAxis } from "../../model/charts/time-axis.js";
import { displayedKind } from "../../model/trace/trace-filters.js";
import type { TraceModel } from "../../model/trace/trace-model.js";
import { hasLine } from "../../model/trace/trace-rows.js";
import type { CallCosts } from "../trace/call-costs.js";
import { windowOfPeak } from "../trace/context-window.js";
import type { Facet, TracedAgent, TraceOverview } from "../trace/trace-protocol.js";

const MAX_CURVE_POINTS = 600;
const MAX_MARKS = 300;

export interface TraceSummary {
  readonly models: readonly string[];
  readonly kinds: readonly Facet[];
  readonly tools: readonly Facet[];
  readonly tracedAgents: readonly TracedAgent[];
  readonly usage: TokenUsage;
  readonly overview: TraceOverview;
}

/** The same object while the trace, costs and options are the same. */
export class TraceSummaries {
  #made: { readonly of: readonly unknown[]; readonly summary: TraceSummary } | undefined;

  of(model: TraceModel, foldGaps: boolean, costs: CallCosts): TraceSummary {
    const of = [model, foldGaps, costs.total];
    if (this.#made?.of.every((one, i) => one === of[i])) return this.#made.summary;
    this.#made = { of, summary: summarizeTrace(model, foldGaps, costs) };
    return this.#made.summary;
  }
}

function summarizeTrace(
  model: TraceModel,
  foldGaps: boolean,
  costs?: Pick<CallCosts, "contextWindowOf" | "of">,
): TraceSummary {
  const axis = timeAxis(model.from, model.to, foldGaps ? model.gaps : []);
  const kinds = new Map<string, number>();
  const tools = new Map<string, number>();
  const models = new Map<string, number>();
  const errors: { x: number; id: string }[] = [];
  const compactions: { x: number; id: string }[] = [];
  const agentIds = new Set<string>();
  let usage = NO_USAGE;
  walkSpans(model.roots, (span) => {
    const kind = displayedKind(span);
    const isCounted = kind === "agent" ? !agentIds.has(span.agentId) : span.kind !== "group" && hasLine(span);
    if (isCounted) count(kinds, kind);
    if (kind === "agent") agentIds.add(span.agentId);
    const x = positionOf(axis, span.start.at);
    if (span.kind === "tool" && span.name !== "") count(tools, span.name);
    if (span.kind === "llm") {
      if (span.name !== "" || span.end?.name) count(models, span.end?.name ?? span.name);
      usage = addUsage(usage, spanUsage(span) ?? NO_USAGE);
    }
    if (span.kind === "compaction") compactions.push({ x, id: span.id });
    if (ownErrors(span) > 0) errors.push({ x: positionOf(axis, span.endAt), id: span.id });
  });
  const agents = tracedAgents(model.roots, costs);
  const agentMarks = agents.map(({ spanId: id }) => {
    const { start, endAt } = model.spans.get(id)!;
    return { x0: positionOf(axis, start.at), x1: positionOf(axis, endAt), id };
  });
  const main = model.growth.filter(({ agentId }) => agentId === "");
  return {
    models: facets(models).map(({ value }) => value),
    kinds: facets(kinds),
    tools: facets(tools),
    tracedAgents: agents,
    usage,
    overview: {
      axis: axis.segments,
      curve: thin(
        main.map(({ spanId, at, tokens }) => ({ id: spanId, x: positionOf(axis, at), at, tokens })),
      ),
      peakTokens: main.reduce((peak, { tokens }) => Math.max(peak, tokens), 0),
      window: costs && windowOfPeak(model, "", costs),
      errors: sample(errors, MAX_MARKS),
      compactions: sample(compactions, MAX_MARKS),
      agents: sample(agentMarks, MAX_MARKS),
    },
  };
}

/** Retains the extremes of each stretch, so that no peak and no drop is lost. */
function thin<Point extends { readonly x: number; readonly tokens: number }>(
  curve: readonly Point[],
): Point[] {
  if (curve.length <= MAX_CURVE_POINTS) return [...curve];
  const size = Math.ceil((curve.length * 2) / MAX_CURVE_POINTS);
  const thinned: Point[] = [];
  for (let from = 0; from < curve.length; from += size) {
    const stretch = curve.slice(from, from + size);
    const low = stretch.reduce((a, b) => (b.tokens < a.tokens ? b : a));
    const high = stretch.reduce((a, b) => (b.tokens > a.tokens ? b : a));
    thinned.push(...(low.x <= high.x ? [low, high] : [high, low]));
  }
  return thinned;
}

function sample<T>(marks: readonly T[], most: number): readonly T[] {
  if (marks.length <= most) return marks;
  const step = marks.length / most;
  return Array.from({ length: most }, (_, i) => marks[Math.floor(i * step)]!);
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function facets(counts: ReadonlyMap<string, number>): Facet[] {
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

function tracedAgents(roots: readonly Span[], costs?: Pick<CallCosts, "of">): TracedAgent[] {
  const agents = new Map<string, AgentSum>();
  walkSpans(roots, (span) => {
    if (span.kind === "agent" && !agents.has(span.agentId)) agents.set(span.agentId, new AgentSum(span));
    if (span.kind === "llm") addCall(agents, span, costs?.of(span));
  });
  return Array.from(agents.values(), (sum) => sum.result());
}

class AgentSum {
  readonly span: Span;
  readonly models: string[] = [];
  #usage = NO_USAGE;
  #cost: Cost | undefined;

  constructor(span: Span) {
    this.span = span;
  }

  add(usage: TokenUsage | undefined, cost: Cost | undefined): void {
    if (usage !== undefined) this.#usage = addUsage(this.#usage, usage);
    if (cost !== undefined) this.#cost = this.#cost === undefined ? cost : addCost(this.#cost, cost);
  }

  result(): TracedAgent {
    const { id: spanId, agentId: id, name, totals, parent } = this.span;
    const callId = parent?.kind === "tool" ? parent.start.key : undefined;
    const requestedBy = callId === undefined ? undefined : { callId, agentId: parent!.agentId };
    const { models } = this;
    return {
      id,
      name: name || id,
      totals,
      usage: this.#usage,
      cost: this.#cost,
      models,
      spanId,
      requestedBy,
    };
  }
}

function addCall(agents: ReadonlyMap<string, AgentSum>, span: Span, cost: Cost | undefined): void {
  const usage = spanUsage(span);
  const counted = new Set<AgentSum>();
  for (let at: Span | undefined = span; at !== undefined; at = at.parent) {
    const agent = agents.get(at.agentId);
    if (agent === undefined || counted.has(agent)) continue;
    counted.add(agent);
    agent.add(usage, cost);
  }
  const own = agents.get(span.agentId);
  const model = span.end?.name ?? span.name;
  if (own !== undefined && model !== "" && !own.models.includes(model)) own.models.push(model);
}
