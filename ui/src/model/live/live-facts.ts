import { isAskingSpan } from "../../../../src/domain/spans/asks-person.js";
import { durationMs, type Span, spanError, walkSpans } from "../../../../src/domain/spans/span.js";
import type { TraceModel } from "../trace/trace-model.js";

const MIN_LOOP = 4;

/** Independent of the current time. */
export interface LiveFacts {
  readonly open: Span | undefined;
  readonly turn: Span | undefined;
  readonly asking: Span | undefined;
  /** The newest calls if they repeat one call with one result, the oldest first. */
  readonly loop: readonly Span[];
  readonly failed: Span | undefined;
  /** By tool name; `""` for model calls. */
  readonly longestMs: ReadonlyMap<string, number>;
  readonly lastAt: number;
}

/** Equal for calls with the same input and result; `undefined` if not recorded. */
export type ResultKey = (call: Span) => string | undefined;

export function liveFacts(
  { events, roots, to }: Pick<TraceModel, "events" | "roots" | "to">,
  resultKey: ResultKey,
): LiveFacts {
  const calls: Span[] = [];
  const turns: Span[] = [];
  const asking: Span[] = [];
  const longestMs = new Map<string, number>();
  // Last turn or model call of each agent. Its earlier calls are over, even without a recorded end.
  const wentOn = new Map<string, number>();
  const didAnything = new Map<string, number>();
  const answered = new Set(events.map(({ answers }) => answers));
  walkSpans(roots, (span) => {
    const { kind, agentId, state } = span;
    if (isCall(span)) calls.push(span);
    if (isCall(span) && state === "done") noteLongest(longestMs, span);
    if (kind === "tool" && state === "done") answered.add(span.start.key);
    if (isTurn(span) && agentId === "") turns.push(span);
    if (isAskingSpan(span)) asking.push(span);
    if (kind === "llm" || isTurn(span)) note(wentOn, span);
    if (isCall(span) || isTurn(span) || (kind === "text" && span.name === "user")) note(didAnything, span);
  });
  const lastTurn = newest(turns);
  const isUnended = lastTurn === undefined || lastTurn.state === "open";
  const isOpen = (span: Span) =>
    isGoingOn(span) &&
    startOf(span) >= (wentOn.get(span.agentId) ?? -1) &&
    (span.agentId === "" || isUnended);
  const isAnswered = ({ start: { toolCallId } }: Span) =>
    toolCallId !== undefined && answered.has(toolCallId);
  const isWaiting = (span: Span) =>
    !isAnswered(span) &&
    (span.parent === undefined || isGoingOn(span.parent)) &&
    startOf(span) > (didAnything.get(span.agentId) ?? -1);
  return {
    open: newest(calls.filter(isOpen)),
    turn: lastTurn?.state === "open" ? lastTurn : undefined,
    asking: newest(asking.filter((span) => (span.kind === "input" ? isWaiting(span) : isOpen(span)))),
    loop: newestLoop(calls, lastTurn, resultKey),
    failed: lastTurn !== undefined && !isUnended && spanError(lastTurn) !== undefined ? lastTurn : undefined,
    longestMs,
    lastAt: to,
  };
}

function startOf({ start }: Span): number {
  return start.index;
}

function isCall({ kind }: Span): boolean {
  return kind === "tool" || kind === "llm";
}

function isTurn({ kind }: Span): boolean {
  return kind === "turn" || kind === "run";
}

function newest(spans: readonly Span[]): Span | undefined {
  return spans.reduce<Span | undefined>(
    (last, span) => (last !== undefined && startOf(last) > startOf(span) ? last : span),
    undefined,
  );
}

function note(latest: Map<string, number>, span: Span): void {
  latest.set(span.agentId, Math.max(startOf(span), latest.get(span.agentId) ?? -1));
}

function noteLongest(longestMs: Map<string, number>, call: Span): void {
  const name = call.kind === "tool" ? call.name : "";
  longestMs.set(name, Math.max(durationMs(call), longestMs.get(name) ?? 0));
}

/** Neither the span nor an ancestor of its agent has an end. */
function isGoingOn(span: Span): boolean {
  for (let at: Span | undefined = span; at !== undefined && at.agentId === span.agentId; at = at.parent) {
    // For an agent without an end, activity is more reliable than its span.
    const isOver = at.kind === "agent" ? at.state === "done" : at.kind !== "group" && at.state !== "open";
    if (isOver) return false;
  }
  return true;
}

/** The equal calls at the end of the agent that called last. An open call may be one more. */
function newestLoop(
  calls: readonly Span[],
  lastTurn: Span | undefined,
  resultKey: ResultKey,
): readonly Span[] {
  const tools = calls.filter(({ kind, state }) => kind === "tool" && state !== "point");
  const inOrder = tools.sort((a, b) => startOf(b) - startOf(a));
  const agentId = inOrder[0]?.agentId;
  const own = inOrder.filter((call) => call.agentId === agentId);
  const [latest] = own;
  const last = own.find(({ state }) => state === "done");
  if (latest === undefined || last === undefined) return [];
  // A later prompt of a person is another matter.
  if (lastTurn !== undefined && startOf(lastTurn) > startOf(last)) return [];
  if (latest !== last && !isAboutSame(latest, last)) return [];
  const loop: Span[] = [];
  for (const call of own.slice(own.indexOf(last))) {
    const isSame = call.state === "done" && isAboutSame(call, last) && resultKey(call) === resultKey(last);
    if (!isSame) break;
    loop.unshift(call);
  }
  return loop.length < MIN_LOOP || resultKey(last) === undefined ? [] : loop;
}

function isAboutSame(one: Span, other: Span): boolean {
  return one.name === other.name && one.start.subject.text === other.start.subject.text;
}
