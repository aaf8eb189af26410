import type { Span } from "./span.js";
import { filtersAnything, matchesFilters, type TraceFilters } from "./trace-filters.js";

/** A line of the waterfall. */
export interface TraceLine {
  readonly span: Span;
  readonly depth: number;
  /** The filters do not match it; it is shown because they match something in it. */
  readonly aside: boolean;
}

/** Which spans a reader has folded or unfolded; the others follow the rule. */
export interface FoldState {
  readonly folded: ReadonlySet<string>;
  readonly unfolded: ReadonlySet<string>;
}

export const DEFAULT_FOLDS: FoldState = { folded: new Set(), unfolded: new Set() };

/** A text without words has no line; the list by sequence has it. */
export function hasLine({ kind, start }: Span): boolean {
  return kind !== "text" || !start.isEmpty;
}

/** Whether a span can be unfolded. */
export function hasLines(span: Span): boolean {
  return span.children.some(hasLine);
}

/** Sub-agents, model calls with what they said, and runs of points start folded; turns start open. */
export function isFolded(span: Span, { folded, unfolded }: FoldState): boolean {
  if (!hasLines(span)) return false;
  if (folded.has(span.id)) return true;
  if (unfolded.has(span.id)) return false;
  return span.kind === "agent" || span.kind === "group" || span.kind === "llm";
}

/** The lines of the waterfall, from the top. With filters, what matches and what it lies in, unfolded. */
export function treeLines(roots: readonly Span[], folds: FoldState, filters: TraceFilters): TraceLine[] {
  const filtered = filtersAnything(filters);
  const shown = filtered ? shownSpans(roots, filters) : undefined;
  const lines: TraceLine[] = [];
  const stack = roots.map((span) => ({ span, depth: 0 })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { span, depth } = next;
    if (!hasLine(span)) continue;
    const match = shown?.get(span);
    if (shown !== undefined && match === undefined) continue;
    lines.push({ span, depth, aside: match === false });
    const open = filtered ? !folds.folded.has(span.id) : !isFolded(span, folds);
    if (!open) continue;
    for (let i = span.children.length - 1; i >= 0; i--) {
      stack.push({ span: span.children[i]!, depth: depth + 1 });
    }
  }
  return lines;
}

/** The spans that match (true), and their ancestors (false). */
function shownSpans(roots: readonly Span[], filters: TraceFilters): Map<Span, boolean> {
  const shown = new Map<Span, boolean>();
  const stack = [...roots];
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    stack.push(...span.children);
    if (!hasLine(span) || !matchesFilters(span, filters)) continue;
    shown.set(span, true);
    for (let at = span.parent; at !== undefined && !shown.has(at); at = at.parent) shown.set(at, false);
  }
  return shown;
}

/** Every event on its own, in the order of `sequence`. */
export function listLines(spans: readonly Span[], filters: TraceFilters): TraceLine[] {
  return spans
    .filter((span) => matchesFilters(span, filters))
    .map((span) => ({ span, depth: 0, aside: false }));
}

/** Unfolds the ancestors of a span. */
export function reveal(span: Span, folds: FoldState): FoldState {
  const folded = new Set(folds.folded);
  const unfolded = new Set(folds.unfolded);
  for (let at = span.parent; at !== undefined; at = at.parent) {
    folded.delete(at.id);
    unfolded.add(at.id);
  }
  return { folded, unfolded };
}

export function toggleFold(span: Span, folds: FoldState): FoldState {
  const folded = new Set(folds.folded);
  const unfolded = new Set(folds.unfolded);
  if (isFolded(span, folds)) {
    folded.delete(span.id);
    unfolded.add(span.id);
  } else {
    unfolded.delete(span.id);
    folded.add(span.id);
  }
  return { folded, unfolded };
}
