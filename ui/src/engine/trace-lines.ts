import type { Span } from "../../../src/domain/spans/span.js";
import type { Cost } from "../../../src/domain/usage/money.js";
import { hasNoPrice } from "../model/session-costs.js";
import { readFilters } from "../model/trace-filters.js";
import type { TraceModel } from "../model/trace-model.js";
import { type FoldState, listLines, sortedLines, type TraceLine, treeLines } from "../model/trace-rows.js";
import type { TraceQuery } from "./trace-protocol.js";

/** Inputs of the lines besides the trace and the query. */
interface LineState {
  readonly folds: FoldState;
  /** A record of bookkeeping that has a line because somebody opened it. */
  readonly opened: Span | undefined;
  /** A span for each event, for the event log. */
  events(): readonly Span[];
  costOf(span: Span): Cost | undefined;
}

/** The lines of a trace in the order and with the filters that a reader has chosen. */
export function traceLines(model: TraceModel, query: TraceQuery, state: LineState): readonly TraceLine[] {
  const { order, bookkeeping } = query;
  const filters = readFilters(query.query);
  if (order === "list") return listLines(state.events(), filters);
  if (order === "tree")
    return treeLines(model.roots, state.folds, filters, (record) => bookkeeping || record === state.opened);
  return sortedLines(model.spans.values(), filters, order, (span) => {
    const cost = state.costOf(span);
    return cost === undefined || hasNoPrice(cost) ? undefined : cost.usd;
  });
}

/**
 * All spans that the filters let through, folded or not, and their bookkeeping, in the order of the tree.
 *
 * @param aside also those that they lie in
 */
export function unfoldedSteps(model: TraceModel, { query }: TraceQuery, aside: boolean): readonly Span[] {
  const ids = new Set([...model.spans.values()].map(({ id }) => id));
  const unfolded = { folded: new Set<string>(), unfolded: ids };
  return treeLines(model.roots, unfolded, readFilters(query), () => true)
    .filter((line) => aside || !line.aside)
    .map(({ span }) => span);
}
