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
  const byId = spansById(spans);
  for (const [id, span] of byId) if (span.kind === "span") steps.set(id, span);
  const before = new Map<Span, Span | undefined>();
  for (const span of spans) {
    if (!PLACED.has(span.kind)) continue;
    const parent = namedParent(span, byId);
    if (parent === undefined && span.kind !== "span") continue;
    before.set(span, span.parent);
    span.parent = parent ?? span.parent;
  }
  keepOutOfCircles(before);
  moveAmongSiblings(roots, before);
}

/** A turn has the id of its trace, unless a step has this id. */
function spansById(spans: readonly Span[]): ReadonlyMap<string, Span> {
  const byId = new Map<string, Span>();
  const add = (id: string | undefined, span: Span) => {
    if (id !== undefined && !byId.has(id)) byId.set(id, span);
  };
  for (const span of spans) {
    const { spanId, key } = span.start;
    if (span.kind === "span") add(spanId, span);
    else if (span.kind !== "turn" && PLACED.has(span.kind)) add(spanId ?? key, span);
  }
  for (const span of spans) if (span.kind === "turn") add(span.start.traceId, span);
  return byId;
}

function namedParent({ start, agentId }: Span, byId: ReadonlyMap<string, Span>): Span | undefined {
  const parent = start.parentSpanId === undefined ? undefined : byId.get(start.parentSpanId);
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
  const visits = new Map<Span, number>();
  let way = 0;
  let isAny = false;
  for (const [span] of before) {
    way++;
    let at: Span | undefined = span;
    for (; at !== undefined && !visits.has(at); at = at.parent) visits.set(at, way);
    if (at === undefined || visits.get(at) !== way) continue;
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
    const remaining = siblings.filter((span) => !before.has(span));
    added.sort((a, b) => a.start.at - b.start.at || a.start.index - b.start.index);
    const merged = mergeByStart(remaining, added);
    for (const [i, span] of merged.entries()) siblings[i] = span;
    siblings.length = merged.length;
  }
}

function mergeByStart(remaining: readonly Span[], added: readonly Span[]): Span[] {
  const merged: Span[] = [];
  let at = remaining.length - 1;
  for (const span of added.toReversed()) {
    while (at >= 0 && remaining[at]!.start.at >= span.start.at) merged.push(remaining[at--]!);
    merged.push(span);
  }
  while (at >= 0) merged.push(remaining[at--]!);
  return merged.reverse();
}
