import type { BuiltSpans } from "./build-spans.js";
import { type Span, type SpanKind, walkSpans } from "./span.js";

/** Spans that name their parent by an id. Otherwise the order of events decides. */
const PLACED: ReadonlySet<SpanKind> = new Set(["compaction", "evaluation", "llm", "span", "tool", "turn"]);

/**
 * Moves spans into the parent that they name (`parentSpanId`), ordered by start; a span with an absent parent stays. Afterwards calls of
 * parallel steps are no longer in trace order.
 */
export function placeSteps({ roots, steps }: BuiltSpans): void {
  const spans: Span[] = [];
  walkSpans(roots, (span) => spans.push(span));
  const known = spansById(spans);
  for (const [id, span] of known) if (span.kind === "span") steps.set(id, span);
  const before = new Map<Span, Span | undefined>();
  for (const span of spans) {
    if (!PLACED.has(span.kind)) continue;
    const parent = namedParent(span, known);
    if (parent === undefined && span.kind !== "span") continue;
    before.set(span, span.parent);
    span.parent = parent ?? span.parent;
  }
  keepOutOfCircles(before);
  moveAmongSiblings(roots, before);
}

/** A turn has the id of its trace, unless a step has this id. */
function spansById(spans: readonly Span[]): ReadonlyMap<string, Span> {
  const known = new Map<string, Span>();
  const add = (id: string | undefined, span: Span) => {
    if (id !== undefined && !known.has(id)) known.set(id, span);
  };
  for (const span of spans) {
    const { spanId, key } = span.start;
    if (span.kind === "span") add(spanId, span);
    else if (span.kind !== "turn" && PLACED.has(span.kind)) add(spanId ?? key, span);
  }
  for (const span of spans) if (span.kind === "turn") add(span.start.traceId, span);
  return known;
}

function namedParent({ start, agentId }: Span, known: ReadonlyMap<string, Span>): Span | undefined {
  const parent = start.parentSpanId === undefined ? undefined : known.get(start.parentSpanId);
  return parent?.agentId === agentId ? parent : undefined;
}

/** Bounded, because a span that moves back may close another circle. */
const MOST_ROUNDS = 3;

/** Recorders may name parents in a circle: such spans stay at their old position. */
function keepOutOfCircles(before: ReadonlyMap<Span, Span | undefined>): void {
  for (let round = 0; round < MOST_ROUNDS; round++) if (!putBackCircles(before)) return;
  for (const [span, parent] of before) span.parent = parent;
}

function putBackCircles(before: ReadonlyMap<Span, Span | undefined>): boolean {
  const seen = new Map<Span, number>();
  let way = 0;
  let isAny = false;
  for (const [span] of before) {
    way++;
    let at: Span | undefined = span;
    for (; at !== undefined && !seen.has(at); at = at.parent) seen.set(at, way);
    if (at === undefined || seen.get(at) !== way) continue;
    isAny = true;
    const circle = new Set<Span>();
    for (let one = at; !circle.has(one); one = one.parent!) circle.add(one);
    for (const one of circle) if (before.has(one)) one.parent = before.get(one);
  }
  return isAny;
}

/** @param before spans that moved, with their old parents */
function moveAmongSiblings(roots: Span[], before: ReadonlyMap<Span, Span | undefined>): void {
  const moved = new Map<Span | undefined, Span[]>();
  for (const [span, parent] of before) {
    if (!moved.has(parent)) moved.set(parent, []);
    const siblings = moved.get(span.parent) ?? [];
    siblings.push(span);
    moved.set(span.parent, siblings);
  }
  for (const [parent, added] of moved) {
    const siblings = parent?.children ?? roots;
    const kept = siblings.filter((span) => !before.has(span));
    added.sort((a, b) => a.start.at - b.start.at || a.start.index - b.start.index);
    const merged = mergeByStart(kept, added);
    for (const [i, span] of merged.entries()) siblings[i] = span;
    siblings.length = merged.length;
  }
}

function mergeByStart(kept: readonly Span[], added: readonly Span[]): Span[] {
  const merged: Span[] = [];
  let at = kept.length - 1;
  for (const span of added.toReversed()) {
    while (at >= 0 && kept[at]!.start.at >= span.start.at) merged.push(kept[at--]!);
    merged.push(span);
  }
  while (at >= 0) merged.push(kept[at--]!);
  return merged.reverse();
}
