import { isAskingSpan } from "../../../src/domain/spans/asks-person.js";
import { durationMs, type Span, spanError, walkSpans } from "../../../src/domain/spans/span.js";
import type { TraceModel } from "./trace-model.js";

/** From so many calls on that are the same an agent is in a loop. */
const MIN_LOOP = 4;

/** What a trace says of what goes on in it, whatever the time is. */
export interface LiveFacts {
  /** The call that is open, the one that began last; what lies in it is done. */
  readonly open: Span | undefined;
  /** The newest turn or run of the main agent that has no end. */
  readonly turn: Span | undefined;
  /** What asks a person and has no answer. */
  readonly asking: Span | undefined;
  /** The newest calls, where they are one call with one result: the oldest first. */
  readonly loop: readonly Span[];
  /** The newest turn or run of the main agent, where that failed. */
  readonly failed: Span | undefined;
  /** The longest that each tool took, by its name, and the longest that a model call took, by `""`. */
  readonly longestMs: ReadonlyMap<string, number>;
  /** The newest instant. */
  readonly lastAt: number;
}

/** A text that is the same for tool calls of the same input and result; `undefined` where these are not recorded. */
export type ResultKey = (call: Span) => string | undefined;

export function liveFacts(
  { events, roots, to }: Pick<TraceModel, "events" | "roots" | "to">,
  resultKey: ResultKey,
): LiveFacts {
  const calls: Span[] = [];
  const turns: Span[] = [];
  const asking: Span[] = [];
  const longestMs = new Map<string, number>();
  // When each agent began a turn or asked a model last: what it had called before is over, whether that was recorded or not.
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

/** The one that began last. */
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

/** Whether neither a span nor anything of its agent that it lies in has an end. */
function isGoingOn(span: Span): boolean {
  for (let at: Span | undefined = span; at !== undefined && at.agentId === span.agentId; at = at.parent) {
    // What an agent without an end of its own does says more than its own span.
    const isOver = at.kind === "agent" ? at.state === "done" : at.kind !== "group" && at.state !== "open";
    if (isOver) return false;
  }
  return true;
}

/** The calls at the end of those of the agent that called last, as long as they are the same. One that is open may be one more. */
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
  // What a person asked since is another matter.
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
