import { durationMs, type Span } from "../../../../src/domain/spans/span.js";
import { repeatedCall } from "./fold-runs.js";
import {
  displayedKind,
  filtersAnything,
  isHidden,
  matchesBeside,
  matchesFilters,
  type TraceFilters,
} from "./trace-filters.js";
import type { TraceSort } from "./trace-order.js";

export interface TraceLine {
  readonly span: Span;
  readonly depth: number;
  /** Not a match, but an ancestor of one. */
  readonly aside: boolean;
  /** Lines on the next level only; 0 if nothing can be unfolded. */
  readonly parts: number;
  readonly folded: boolean;
}

export interface FoldState {
  readonly folded: ReadonlySet<string>;
  readonly unfolded: ReadonlySet<string>;
}

export const DEFAULT_FOLDS: FoldState = { folded: new Set(), unfolded: new Set() };

/** Only the list by sequence displays a text without words. */
export function hasLine({ kind, start }: Span): boolean {
  return kind !== "text" || !start.isEmpty;
}

export type VisibleBookkeeping = (record: Span) => boolean;

const NO_BOOKKEEPING: VisibleBookkeeping = () => false;

/**
 * Filters retain matches and ancestors. Sub-agents, runs of points, and model calls with their texts start folded, unless filters select
 * something in them, or bookkeeping in them is visible.
 */
export function treeLines(
  roots: readonly Span[],
  folds: FoldState,
  filters: TraceFilters,
  isVisible: VisibleBookkeeping = NO_BOOKKEEPING,
): TraceLine[] {
  const matches = filtersAnything(filters) ? matchingSpans(roots, filters) : undefined;
  const isOpened = openedBy(filters);
  const lines: TraceLine[] = [];
  const stack = roots.map((span) => ({ span, depth: 0 })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { span, depth } = next;
    if (!hasLine(span)) continue;
    const match = matches === undefined || matches.get(span);
    if (match === undefined) continue;
    const steps = span.children.filter((child) => hasLine(child) && matches?.has(child) !== false);
    const records = match
      ? span.bookkeeping.filter((one) => isVisible(one) && matchesBeside(one, filters))
      : [];
    const parts = records.length === 0 ? steps : inOrder(steps, records);
    const startsOpen = !match || isOpened(span) || (span.kind === "llm" && records.length > 0);
    const folded = parts.length > 0 && isFolded(span, folds, startsOpen);
    lines.push({ span, depth, aside: !match, parts: parts.length, folded });
    if (folded) continue;
    for (const part of records) matches?.set(part, true);
    for (let i = parts.length - 1; i >= 0; i--) stack.push({ span: parts[i]!, depth: depth + 1 });
  }
  return lines;
}

function isFolded({ id, kind }: Span, { folded, unfolded }: FoldState, startsOpen: boolean): boolean {
  if (folded.has(id)) return true;
  if (unfolded.has(id) || startsOpen) return false;
  return kind === "agent" || kind === "group" || kind === "llm";
}

/** Tests for matches that contain the selected steps. A filter by time unfolds nothing. */
function openedBy({ kinds, tools, errorsOnly, agent }: TraceFilters): (span: Span) => boolean {
  const picks = kinds.length > 0 || tools.length > 0 || errorsOnly;
  return (span) =>
    (picks && repeatedCall(span) === undefined) || (agent !== undefined && span.kind === "agent");
}

function matchingSpans(roots: readonly Span[], filters: TraceFilters): Map<Span, boolean> {
  const matches = new Map<Span, boolean>();
  const stack = [...roots];
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    // Hides the parts, too. The sub-agent of a tool call is no part of the call, nor is a model call between repeats.
    if (!isHidden(span, filters) || span.kind === "tool" || span.kind === "group")
      for (const child of span.children) stack.push(child);
    if (!hasLine(span) || !matchesFilters(span, filters)) continue;
    matches.set(span, true);
    for (let at = span.parent; at !== undefined && !matches.has(at); at = at.parent) matches.set(at, false);
  }
  return matches;
}

function inOrder(steps: readonly Span[], records: readonly Span[]): Span[] {
  const parts: Span[] = [];
  let next = 0;
  for (const step of steps) {
    while (next < records.length && comesBefore(records[next]!, step)) parts.push(records[next++]!);
    parts.push(step);
  }
  return parts.concat(records.slice(next));
}

function comesBefore({ start: one }: Span, { start: other }: Span): boolean {
  return one.at < other.at || (one.at === other.at && one.sequence < other.sequence);
}

export function listLines(spans: readonly Span[], filters: TraceFilters): TraceLine[] {
  return flatLines(spans.filter((span) => matchesFilters(span, filters)));
}

/**
 * Ancestors are left out, because they would count their parts twice. Selected kinds are always sorted; equal calls by sequence.
 * @param costOf in US dollars; `undefined` without a cost, or until it is available
 */
export function sortedLines(
  spans: Iterable<Span>,
  filters: TraceFilters,
  sort: TraceSort,
  costOf: (span: Span) => number | undefined = () => undefined,
): TraceLine[] {
  const sign = sort.descending ? -1 : 1;
  const isSorted = (span: Span) =>
    span.kind !== "group" && (isCall(span) || filters.kinds.includes(displayedKind(span)));
  const amounts = new Map<Span, number>();
  for (const span of spans) {
    const amount = AMOUNTS[sort.column](span, costOf);
    if (isSorted(span) && amount !== undefined && matchesFilters(span, filters)) amounts.set(span, amount);
  }
  const sorted = [...amounts].sort(
    ([one, a], [other, b]) => sign * (a - b) || one.start.sequence - other.start.sequence,
  );
  return flatLines(sorted.map(([span]) => span));
}

const AMOUNTS: {
  readonly [column in TraceSort["column"]]: (
    span: Span,
    costOf: (span: Span) => number | undefined,
  ) => number | undefined;
} = {
  duration: (span) => (span.state === "point" ? undefined : durationMs(span)),
  added: ({ addedTokens }) => addedTokens,
  cost: (span, costOf) => costOf(span),
};

function isCall({ kind }: Span): boolean {
  return kind === "llm" || kind === "tool" || kind === "skill";
}

function flatLines(spans: readonly Span[]): TraceLine[] {
  return spans.map((span) => ({ span, depth: 0, aside: false, parts: 0, folded: false }));
}

export function reveal(span: Span, folds: FoldState): FoldState {
  const folded = new Set(folds.folded);
  const unfolded = new Set(folds.unfolded);
  for (let at = span.parent; at !== undefined; at = at.parent) {
    folded.delete(at.id);
    unfolded.add(at.id);
  }
  return { folded, unfolded };
}

/** @param line as currently visible */
export function toggleFold({ span, folded }: TraceLine, folds: FoldState): FoldState {
  const next = { folded: new Set(folds.folded), unfolded: new Set(folds.unfolded) };
  (folded ? next.folded : next.unfolded).delete(span.id);
  (folded ? next.unfolded : next.folded).add(span.id);
  return next;
}
