import { newSpan, type Span, spanError, walkSpans } from "../../../../src/domain/spans/span.js";

const MIN_POINTS = 2;
const MIN_REPEATS = 4;

/** Equal for calls with the same input; `undefined` if that is not recorded. */
export type InputKey = (call: Span) => string | undefined;

/** Groups runs of points of one type (progress records, streamed parts), and runs of equal tool calls. Drops nothing. */
export function foldRuns(roots: Span[], inputKey: InputKey): Span[] {
  const folded = groupRuns(roots, undefined, inputKey);
  walkSpans(folded, (span) => {
    if (span.kind !== "group") span.children = groupRuns(span.children, span, inputKey);
  });
  return folded;
}

/** `undefined` unless the span is a group of repeats. */
export function repeatedCall({ kind, children }: Span): Span | undefined {
  return kind === "group" ? children.find(isCall) : undefined;
}

export function repeatsIn({ children }: Span): readonly Span[] {
  return children.filter(isCall);
}

function groupRuns(siblings: Span[], parent: Span | undefined, inputKey: InputKey): Span[] {
  const folded: Span[] = [];
  for (let from = 0; from < siblings.length; ) {
    const repeats = endOfRepeats(siblings, from, inputKey);
    const points = repeats === undefined ? endOfPoints(siblings, from) : undefined;
    const to = repeats ?? points ?? from + 1;
    if (to === from + 1) folded.push(siblings[from]!);
    else folded.push(groupOf(siblings.slice(from, to), parent));
    from = to;
  }
  return folded;
}

function endOfPoints(siblings: readonly Span[], from: number): number | undefined {
  const first = siblings[from]!;
  let to = from;
  while (to < siblings.length && isPlainPoint(siblings[to]!) && siblings[to]!.start.type === first.start.type)
    to++;
  return to - from < MIN_POINTS ? undefined : to;
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

/** Includes model calls between the tool calls, because an agent in a loop calls a model each time. */
function endOfRepeats(siblings: readonly Span[], from: number, inputKey: InputKey): number | undefined {
  let first: Span | undefined;
  let calls = 0;
  let to: number | undefined;
  for (let at = from; at < siblings.length; at++) {
    const span = siblings[at]!;
    if (isCall(span)) {
      if (first === undefined && !canRepeat(span)) break;
      first ??= span;
      if (span !== first && !isSameCall(first, span, inputKey)) break;
      calls++;
      to = at + 1;
    } else if (first === undefined ? span.kind !== "llm" || at > from : !isBetweenCalls(span)) break;
  }
  return calls < MIN_REPEATS ? undefined : to;
}

function isCall({ kind, state }: Span): boolean {
  return kind === "tool" && state !== "point";
}

/** A person's prompt ends a run. */
function isBetweenCalls({ kind, state, name }: Span): boolean {
  if (kind === "text") return name === "" || name === "assistant" || name === "model";
  return (kind === "llm" && state !== "open") || kind === "usage";
}

/** Running spans, and spans with a working agent, stay separate. */
function canRepeat({ state, children }: Span): boolean {
  return state !== "open" && children.length === 0;
}

function isSameCall(one: Span, other: Span, inputKey: InputKey): boolean {
  return (
    canRepeat(other) &&
    one.name === other.name &&
    one.state === other.state &&
    one.start.subject.text === other.start.subject.text &&
    spanError(one) === spanError(other) &&
    inputKey(one) === inputKey(other)
  );
}

function groupOf(parts: Span[], parent: Span | undefined): Span {
  const call = parts.find(isCall);
  const first = parts[0]!;
  const { start } = call ?? first;
  const group = {
    ...newSpan({ ...start, at: first.start.at }, first.agentId, "group"),
    id: `group:${(call ?? first).id}`,
    name: call?.name ?? start.type,
  };
  group.state = "done";
  group.endAt = parts.reduce((latest, part) => Math.max(latest, part.endAt), first.endAt);
  group.parent = parent;
  group.children = parts;
  for (const part of parts) part.parent = group;
  return group;
}
