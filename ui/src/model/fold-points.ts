import { newSpan, type Span, walkSpans } from "../../../src/domain/spans/span.js";

/** Fewer points of one type in a row than this are shown one by one. */
const MIN_RUN = 2;

/** Groups runs of points of one type (progress records, streamed parts) under one span each. No point is dropped. */
export function foldPoints(roots: Span[]): Span[] {
  const folded = groupPoints(roots, undefined);
  walkSpans(folded, (span) => {
    if (span.kind !== "group") span.children = groupPoints(span.children, span);
  });
  return folded;
}

function groupPoints(siblings: Span[], parent: Span | undefined): Span[] {
  const folded: Span[] = [];
  for (let from = 0; from < siblings.length; ) {
    let to = from + 1;
    while (to < siblings.length && continuesRun(siblings[from]!, siblings[to]!)) to++;
    if (to - from < MIN_RUN) folded.push(...siblings.slice(from, to));
    else folded.push(groupOf(siblings.slice(from, to), parent));
    from = to;
  }
  return folded;
}

function continuesRun(first: Span, next: Span): boolean {
  return isPlainPoint(first) && isPlainPoint(next) && first.start.type === next.start.type;
}

function isPlainPoint(span: Span): boolean {
  const { kind, state, children, start } = span;
  return (
    state === "point" &&
    children.length === 0 &&
    kind !== "error" &&
    kind !== "input" &&
    kind !== "text" &&
    kind !== "evaluation" &&
    start.error === undefined
  );
}

function groupOf(points: Span[], parent: Span | undefined): Span {
  const first = points[0]!;
  const group = {
    ...newSpan(first.start, first.agentId, "group"),
    id: `group:${first.id}`,
    name: first.start.type,
  };
  group.state = "done";
  group.endAt = points.reduce((latest, point) => Math.max(latest, point.endAt), first.endAt);
  group.parent = parent;
  group.children = points;
  for (const point of points) point.parent = group;
  return group;
}
