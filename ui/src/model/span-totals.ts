import { NO_TOTALS, type Span, type SpanTotals, spanError, walkSpans } from "./span.js";

/** Counts what is in each span, from the leaves up. */
export function addTotals(roots: readonly Span[]): SpanTotals {
  const order: Span[] = [];
  walkSpans(roots, (span) => order.push(span));
  for (let i = order.length - 1; i >= 0; i--) {
    const span = order[i]!;
    span.totals = sum(ownTotals(span), span.children);
  }
  return sum(NO_TOTALS, roots);
}

function ownTotals(span: Span): SpanTotals {
  return {
    llmCalls: span.kind === "llm" && span.start.phase !== "point" ? 1 : 0,
    toolCalls: span.kind === "tool" && span.start.phase !== "point" ? 1 : 0,
    subAgents: span.kind === "agent" && span.start.phase === "start" ? 1 : 0,
    compactions: span.kind === "compaction" ? 1 : 0,
    // A group is no event, and a turn that failed because of what is in it is no second error.
    errors: spanError(span) !== undefined && !hasFailedPart(span) ? 1 : 0,
    events: span.kind === "group" ? 0 : span.end === undefined || span.end === span.start ? 1 : 2,
  };
}

function hasFailedPart(span: Span): boolean {
  return span.children.some((child) => child.totals.errors > 0);
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
