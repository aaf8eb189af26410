import type { EventKind } from "../../../src/domain/event-kinds.js";
import type { TokenUsage } from "../../../src/domain/session.js";
import type { EventFacts } from "./event-facts.js";

/** `group`: a run of points of one type, folded to one line. */
export type SpanKind = EventKind | "group";

/**
 * - `done`: it has an end.
 * - `open`: it began and no end is recorded, so far.
 * - `cut`: no end is recorded, and what came after shows that it did end.
 * - `point`: it has no length.
 */
export type SpanState = "done" | "open" | "cut" | "point";

/** Something that took time, or a point in time: one line of the waterfall. */
export interface Span {
  /** The id of its first envelope: its address. */
  readonly id: string;
  readonly kind: SpanKind;
  readonly start: EventFacts;
  end: EventFacts | undefined;
  state: SpanState;
  endAt: number;
  readonly name: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  parent: Span | undefined;
  children: Span[];
  /** Filled by `addTotals`. */
  totals: SpanTotals;
  /** What the model read in this call; only of model calls whose usage is recorded. */
  contextTokens: number | undefined;
  /** What the step added to the context: counted for model calls and turns, estimated for tools. */
  addedTokens: number | undefined;
}

/** What is in a span, itself included. */
export interface SpanTotals {
  readonly llmCalls: number;
  readonly toolCalls: number;
  readonly subAgents: number;
  readonly compactions: number;
  readonly errors: number;
  readonly events: number;
}

export const NO_TOTALS: SpanTotals = {
  llmCalls: 0,
  toolCalls: 0,
  subAgents: 0,
  compactions: 0,
  errors: 0,
  events: 0,
};

export function newSpan(start: EventFacts, agentId: string, kind: SpanKind = start.kind): Span {
  return {
    id: start.id,
    kind,
    start,
    end: undefined,
    state: start.phase === "start" ? "open" : "point",
    endAt: start.at,
    name: start.name ?? "",
    agentId,
    parent: undefined,
    children: [],
    totals: NO_TOTALS,
    contextTokens: undefined,
    addedTokens: undefined,
  };
}

export function spanError(span: Span): string | undefined {
  return span.end?.error ?? span.start.error;
}

export function spanUsage(span: Span): TokenUsage | undefined {
  return span.end?.usage ?? span.start.usage;
}

export function durationMs(span: Span): number {
  return Math.max(0, span.endAt - span.start.at);
}

/** Calls `visit` for each span, a parent before its children, without recursion: nesting is foreign input. */
export function walkSpans(roots: readonly Span[], visit: (span: Span) => void): void {
  const stack = [...roots].reverse();
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    visit(span);
    for (let i = span.children.length - 1; i >= 0; i--) stack.push(span.children[i]!);
  }
}
