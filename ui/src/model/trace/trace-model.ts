import { buildSpans } from "../../../../src/domain/spans/build-spans.js";
import type { EventFacts } from "../../../../src/domain/spans/event-facts.js";
import { nestAgents } from "../../../../src/domain/spans/nest-agents.js";
import { ownBookkeeping } from "../../../../src/domain/spans/own-bookkeeping.js";
import { placeSteps } from "../../../../src/domain/spans/place-steps.js";
import {
  addTotals,
  newSpan,
  type Span,
  type SpanTotals,
  spanUsage,
  walkSpans,
} from "../../../../src/domain/spans/span.js";
import { spawnedAgents } from "../../../../src/domain/spans/span-tree.js";
import { contextTokens, estimateTokens } from "../../../../src/domain/usage/token-counts.js";
import { activeStretches, type Gap, idleGaps } from "../charts/time-axis.js";
import { foldRuns, type InputKey, repeatedCall, repeatsIn } from "./fold-runs.js";

export interface TraceModel {
  readonly events: readonly EventFacts[];
  readonly roots: readonly Span[];
  /** The id of an end refers to the ended span. */
  readonly spans: ReadonlyMap<string, Span>;
  readonly bookkeeping: ReadonlySet<Span>;
  readonly totals: SpanTotals;
  /** Recorded working folders by trace id. */
  readonly directories: ReadonlyMap<string, string>;
  readonly growth: readonly ContextPoint[];
  readonly from: number;
  readonly to: number;
  readonly gaps: readonly Gap[];
  readonly activeMs: number;
}

/** @param inputKey distinguishes calls of one tool. Default is the complete input */
export function traceModel(
  events: readonly EventFacts[],
  agentIds: ReadonlySet<string>,
  inputKey: InputKey = () => undefined,
): TraceModel {
  const built = buildSpans(events, new Set([...agentIds, ...spawnedAgents(events)]));
  placeSteps(built);
  const bookkeeping = ownBookkeeping(built);
  const roots = foldRuns(nestAgents(built), inputKey);
  const spans = new Map<string, Span>();
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { at, startedAt = at } of events) {
    from = Math.min(from, startedAt);
    to = Math.max(to, at);
  }
  if (events.length === 0) from = to = 0;
  const totals = addTotals(roots);
  walkSpans(roots, (span) => {
    // An open span lasts until the last recorded instant.
    if (span.state === "open") span.endAt = Math.max(span.endAt, to);
    spans.set(span.id, span);
    for (const record of span.bookkeeping) spans.set(record.id, record);
    if (span.end !== undefined && !spans.has(span.end.id)) spans.set(span.end.id, span);
  });
  const gaps = idleGaps(activeStretches(roots));
  return {
    events,
    roots,
    spans,
    bookkeeping,
    totals,
    directories: directoriesOf(events),
    growth: addContextGrowth(roots),
    from,
    to,
    gaps,
    activeMs: to - from - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0),
  };
}

export function eventSpans(model: TraceModel): Span[] {
  return model.events.map((event) => {
    const complete = model.spans.get(event.id);
    const span = newSpan(event, complete?.agentId ?? "");
    span.state = "point";
    span.totals = { ...span.totals, errors: event.error === undefined ? 0 : 1 };
    if (complete === undefined || event === complete.start) return span;
    // The start of a tool call names its subject.
    const start = event.kind === "tool" ? { ...event, subject: complete.start.subject } : event;
    return { ...span, name: span.name || complete.name, start };
  });
}

function directoriesOf(events: readonly EventFacts[]): Map<string, string> {
  const directories = new Map<string, string>();
  for (const { traceId, directory } of events) {
    if (directory !== undefined && !directories.has(traceId)) directories.set(traceId, directory);
  }
  return directories;
}

interface ContextPoint {
  readonly spanId: string;
  readonly at: number;
  readonly tokens: number;
  readonly agentId: string;
}

/**
 * Sets the context growth of each step: counted for model calls, estimated from the output for tools. Turns, sub-agents and runs have the
 * sum of their model calls, else of their tool calls.
 * @returns context sizes of model calls, by time
 */
function addContextGrowth(roots: readonly Span[]): ContextPoint[] {
  const before = new Map<string, number>();
  const points: ContextPoint[] = [];
  const calls: Span[] = [];
  walkSpans(roots, (span) => {
    if (span.kind === "tool" && span.end !== undefined && span.end.outputSize > 0) {
      span.addedTokens = estimateTokens(span.end.outputSize);
    }
    if (span.kind === "llm") calls.push(span);
  });
  for (const span of inTraceOrder(calls)) {
    const usage = spanUsage(span);
    const tokens = usage === undefined ? 0 : contextTokens(usage);
    // A refused or failed call reports no tokens, which would look like an empty context.
    if (tokens === 0) continue;
    span.contextTokens = tokens;
    span.addedTokens = tokens - (before.get(span.agentId) ?? 0);
    before.set(span.agentId, tokens);
    points.push({ spanId: span.id, at: span.start.at, tokens, agentId: span.agentId });
    for (const holder of holdersOf(span)) {
      holder.addedTokens = (holder.addedTokens ?? 0) + span.addedTokens;
      holder.contextTokens = tokens;
    }
  }
  walkSpans(roots, (span) => {
    if (repeatedCall(span) === undefined || span.addedTokens !== undefined) return;
    const added = repeatsIn(span).flatMap(({ addedTokens = [] }) => addedTokens);
    if (added.length > 0) span.addedTokens = added.reduce((sum, tokens) => sum + tokens, 0);
  });
  return points.sort((a, b) => a.at - b.at);
}

/** Parallel steps have separate calls, reported in any order. */
export function inTraceOrder(calls: Span[]): Span[] {
  return calls.sort((a, b) => a.start.index - b.start.index);
}

function holdersOf(call: Span): Span[] {
  const holders: Span[] = [];
  for (let at = call.parent; at !== undefined && at.agentId === call.agentId; at = at.parent) {
    const isHolder = at.kind === "turn" || at.kind === "agent" || at.kind === "group";
    if (isHolder && !holders.some(({ kind }) => kind === at.kind)) holders.push(at);
  }
  return holders;
}
