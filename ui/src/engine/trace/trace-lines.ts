import type { Span } from "../../../../src/domain/spans/span.js";
import { hasNoPrice } from "../../../../src/domain/text/figures.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { readFilters } from "../../model/trace/trace-filters.js";
import type { TraceModel } from "../../model/trace/trace-model.js";
import {
  type FoldState,
  listLines,
  sortedLines,
  type TraceLine,
  treeLines,
} from "../../model/trace/trace-rows.js";
import type { TraceQuery } from "./trace-protocol.js";

interface LineState {
  readonly folds: FoldState;
  /** Visible because somebody opened it. */
  readonly opened: Span | undefined;
  events(): readonly Span[];
  costOf(span: Span): Cost | undefined;
}

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
 * In the order of the tree, with bookkeeping.
 * @param aside also includes ancestors of matches
 */
export function unfoldedSteps(model: TraceModel, { query }: TraceQuery, aside: boolean): readonly Span[] {
  const ids = new Set([...model.spans.values()].map(({ id }) => id));
  const unfolded = { folded: new Set<string>(), unfolded: ids };
  return treeLines(model.roots, unfolded, readFilters(query), () => true)
    .filter((line) => aside || !line.aside)
    .map(({ span }) => span);
}
