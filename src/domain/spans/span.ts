import type { EventKind } from "../dialects/event-kinds.js";
import { isOwnError } from "../trace/outcome.js";
import type { TokenUsage } from "../usage/token-usage.js";
import type { EventFacts } from "./event-facts.js";

/** `group`: consecutive points of one type, in one line. */
export type SpanKind = EventKind | "group";

/**
 * - `done`: it has an end.
 * - `open`: no end is recorded so far.
 * - `cut`: no end is recorded, but later events prove that it ended.
 * - `point`: it has no length.
 */
export type SpanState = "done" | "open" | "cut" | "point";

/** One line of the waterfall: an activity, or a point in time. */
export interface Span {
  /** Id of its first envelope, which is its address. */
  readonly id: string;
  readonly kind: SpanKind;
  readonly start: EventFacts;
  end: EventFacts | undefined;
  state: SpanState;
  endAt: number;
  /** Tool, model or agent; `""` if not recorded. */
  name: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  parent: Span | undefined;
  children: Span[];
  /** Records of the runtime. Not part of `children`: only readers who request them get them. */
  bookkeeping: Span[];
  /** Only for a model call: tool calls that it requested, which are not its children. */
  calls: Span[] | undefined;
  totals: SpanTotals;
  /** Excludes bookkeeping. `addTotals` sets it. */
  hasFailedPart: boolean;
  /** Tokens that the model read; only for model calls with recorded usage. */
  contextTokens: number | undefined;
  /** Tokens that the step added to the context: recorded for model calls and turns, estimated for tools. */
  addedTokens: number | undefined;
}

/** Includes the span itself and its bookkeeping. */
export interface SpanTotals {
  readonly llmCalls: number;
  readonly toolCalls: number;
  readonly subAgents: number;
  readonly compactions: number;
  readonly errors: number;
  readonly events: number;
}

const NO_TOTALS: SpanTotals = {
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
    bookkeeping: [],
    calls: undefined,
    totals: NO_TOTALS,
    hasFailedPart: false,
    contextTokens: undefined,
    addedTokens: undefined,
  };
}

/** A text cannot own bookkeeping: its call does. */
const OWNERS: ReadonlySet<SpanKind> = new Set([
  "agent",
  "compaction",
  "llm",
  "run",
  "session",
  "skill",
  "tool",
  "turn",
]);

export function canOwn({ kind }: Span): boolean {
  return OWNERS.has(kind);
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

/** Parents before children; no recursion, because foreign input decides the depth. */
export function walkSpans(roots: readonly Span[], visit: (span: Span) => void): void {
  const stack = [...roots].reverse();
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    visit(span);
    for (let i = span.children.length - 1; i >= 0; i--) stack.push(span.children[i]!);
  }
}

/** Siblings stay in trace order, even if a clock was set back. */
export function insertByTime(siblings: Span[], span: Span): void {
  let at = siblings.length;
  while (at > 0 && siblings[at - 1]!.start.at > span.start.at) at--;
  siblings.splice(at, 0, span);
}

export function addTotals(roots: readonly Span[]): SpanTotals {
  const order: Span[] = [];
  walkSpans(roots, (span) => order.push(span));
  for (let i = order.length - 1; i >= 0; i--) {
    const span = order[i]!;
    span.hasFailedPart = span.children.some((child) => hasFailed(child) || child.hasFailedPart);
    span.totals = sum(ownTotals(span), span.children);
    for (const record of span.bookkeeping) record.totals = ownTotals(record);
  }
  return sum(NO_TOTALS, roots);
}

function ownTotals(span: Span): SpanTotals {
  const { bookkeeping } = span;
  return {
    llmCalls: span.kind === "llm" && span.start.phase !== "point" ? 1 : 0,
    toolCalls: span.kind === "tool" && span.start.phase !== "point" ? 1 : 0,
    subAgents: span.kind === "agent" && span.start.phase === "start" ? 1 : 0,
    compactions: span.kind === "compaction" ? 1 : 0,
    errors: ownErrors(span),
    // A group is not an event.
    events:
      bookkeeping.length +
      (span.kind === "group" ? 0 : span.end === undefined || span.end === span.start ? 1 : 2),
  };
}

export function failedBookkeeping({ bookkeeping }: Span): number {
  return bookkeeping.filter(hasFailed).length;
}

export function ownErrors(span: Span): number {
  return (isOwnFailure(span) ? 1 : 0) + failedBookkeeping(span);
}

export function isOwnFailure(span: Span): boolean {
  return isOwnError(hasFailed(span), span.hasFailedPart);
}

function hasFailed(span: Span): boolean {
  return spanError(span) !== undefined;
}

function sum(own: SpanTotals, children: readonly Span[]): SpanTotals {
  if (children.length === 0) return own;
  const total = { ...own };
  for (const { totals } of children) {
    total.llmCalls += totals.llmCalls;
    total.toolCalls += totals.toolCalls;
    total.subAgents += totals.subAgents;
    total.compactions += totals.compactions;
    total.errors += totals.errors;
    total.events += totals.events;
  }
  return total;
}
