import { isPause } from "../lists/is-pause.js";
import { runToEnd } from "../lists/run-to-end.js";
import type { EventFacts } from "./event-facts.js";
import { canOwn, newSpan, type Span } from "./span.js";

/** Scope: one agent in one trace. Outermost first. */
interface OpenSpans {
  readonly containers: Span[];
  /** Leaves by kind and key; keyless ones are in start order. */
  readonly keyed: Map<string, Span>;
  readonly keyless: Span[];
  /** Last model call, while the next texts may belong to its answer. */
  answering: Span | undefined;
  /** Owner of the next bookkeeping; `early` has bookkeeping without an owner yet. */
  latest: Span | undefined;
  readonly early: Span[];
}

export interface BuiltSpans {
  /** Trace order; no parent in the same agent. */
  readonly roots: Span[];
  readonly agents: Map<string, Span>;
  /** By id: parents of sub-agents. */
  readonly toolCalls: Map<string, Span>;
  readonly steps: Map<string, Span>;
  /** The parent of each record is the span before it in its agent. */
  readonly bookkeeping: Span[];
  /** Owners that bookkeeping names, by envelope id. */
  readonly named: Map<string, Span>;
}

/**
 * Pairs starts with ends and nests spans, agent by agent. Drops nothing: an end without a start becomes a point, a start without an end
 * stays open.
 * @param events ordered by `sequence`
 */
export function buildSpans(events: readonly EventFacts[], subAgents: ReadonlySet<string>): BuiltSpans {
  return runToEnd(buildSpansInSteps(events, subAgents));
}

/** Pauses, because there may be a hundred thousand events. */
export function* buildSpansInSteps(
  events: readonly EventFacts[],
  subAgents: ReadonlySet<string>,
): Generator<void, BuiltSpans> {
  const openByTrace = new Map<string, OpenSpans>();
  const built: BuiltSpans = {
    roots: [],
    agents: new Map(),
    toolCalls: new Map(),
    steps: new Map(),
    bookkeeping: [],
    named: new Map(),
  };
  const owners = new Set(events.map(({ bookkeeping }) => bookkeeping?.stepId));
  for (const [i, event] of events.entries()) {
    if (isPause(i)) yield;
    const agentId = agentOf(event, subAgents);
    if (event.source === "orchestration" && event.bookkeeping === undefined) {
      addOrchestration(built, openByTrace, event, agentId);
      continue;
    }
    const openSpans = openSpansOf(openByTrace, `${agentId} ${event.traceId}`);
    if (event.bookkeeping !== undefined) {
      addBookkeeping(built, openSpans, newSpan(event, agentId));
      continue;
    }
    const isEnd = event.phase === "end" && event.kind !== "session";
    const span = (isEnd ? endSpan : addSpan)(built, openSpans, event, agentId);
    noteLatest(openSpans, span);
    if (owners.has(event.id)) built.named.set(event.id, span);
  }
  return built;
}

function addBookkeeping(built: BuiltSpans, openSpans: OpenSpans, span: Span): void {
  span.parent = openSpans.latest;
  built.bookkeeping.push(span);
  if (openSpans.latest === undefined) openSpans.early.push(span);
}

/** Bookkeeping before any span of its agent belongs to the first span. */
function noteLatest(openSpans: OpenSpans, span: Span): void {
  if (!canOwn(span)) return;
  openSpans.latest = span;
  for (const early of openSpans.early.splice(0)) early.parent = span;
}

/** `""` for the main agent, also if its events have an id. */
function agentOf(event: EventFacts, subAgents: ReadonlySet<string>): string {
  const id = event.agentId;
  if (id === undefined) return subAgents.has(event.traceId) ? event.traceId : "";
  return subAgents.has(id) || id === event.traceId || event.source === "orchestration" ? id : "";
}

function addSpan(built: BuiltSpans, openSpans: OpenSpans, event: EventFacts, agentId: string): Span {
  const span = event.startedAt === undefined ? newSpan(event, agentId) : stepOf(event, agentId);
  if (event.kind === "session") span.state = "point";
  // A new turn or run ends its open sibling, whose end is not recorded.
  if (isContainer(event) && event.phase === "start") closeSiblings(openSpans, event);
  attach(built, answeredBy(openSpans, span) ?? openSpans.containers.at(-1), span);
  noteAnswer(openSpans, span);
  if (span.state !== "open") return span;
  if (isContainer(event)) openSpans.containers.push(span);
  else if (event.key === undefined) openSpans.keyless.push(span);
  else openSpans.keyed.set(`${event.kind} ${event.key}`, span);
  if (event.kind === "tool" && event.key !== undefined) built.toolCalls.set(event.key, span);
  return span;
}

function stepOf(event: EventFacts, agentId: string): Span {
  const start = { ...event, at: event.startedAt! };
  const state = event.isUnfinished ? "cut" : "done";
  return { ...newSpan(start, agentId), end: start, state, endAt: event.at };
}

function answeredBy({ answering }: OpenSpans, { kind, name }: Span): Span | undefined {
  const isAnswer = kind === "text" && (name === "" || name === "assistant" || name === "model");
  return isAnswer ? answering : undefined;
}

function noteAnswer(openSpans: OpenSpans, span: Span): void {
  const { answering } = openSpans;
  if (span.kind === "llm" && span.state === "open") openSpans.answering = span;
  else if (isContainer(span.start) || span.kind === "compaction") openSpans.answering = undefined;
  else if (span.kind === "tool" && span.state === "open" && answering !== undefined) {
    answering.calls ??= [];
    answering.calls.push(span);
  }
}

function endSpan(built: BuiltSpans, openSpans: OpenSpans, event: EventFacts, agentId: string): Span {
  const span = isContainer(event) ? popContainer(openSpans, event) : popLeaf(openSpans, event);
  // The next answer follows a result, unless the current one is incomplete.
  if (event.kind !== "llm" && openSpans.answering?.state !== "open") openSpans.answering = undefined;
  if (span === undefined) {
    const orphan = newSpan(event, agentId);
    orphan.end = event;
    attach(built, openSpans.containers.at(-1), orphan);
    return orphan;
  }
  finish(span, event);
  return span;
}

function finish(span: Span, event: EventFacts): void {
  span.end = event;
  span.state = "done";
  // Some writers name the model only at the end.
  if (span.name === "") span.name = event.name ?? "";
  span.endAt = Math.max(event.at, span.start.at);
}

function popLeaf(openSpans: OpenSpans, event: EventFacts): Span | undefined {
  if (event.key !== undefined) {
    const key = `${event.kind} ${event.key}`;
    const span = openSpans.keyed.get(key);
    openSpans.keyed.delete(key);
    if (span !== undefined) return span;
  }
  const at = openSpans.keyless.findLastIndex(
    (open) => open.kind === event.kind && open.name === (event.name ?? open.name),
  );
  return at === -1 ? undefined : openSpans.keyless.splice(at, 1)[0];
}

function popContainer(openSpans: OpenSpans, event: EventFacts): Span | undefined {
  const fits = (open: Span) => open.kind === event.kind;
  let at = openSpans.containers.findLastIndex((open) => fits(open) && open.start.key === event.key);
  if (at === -1) at = openSpans.containers.findLastIndex(fits);
  if (at === -1) return undefined;
  const [span, ...inner] = openSpans.containers.splice(at);
  for (const left of inner) cut(left, event.at);
  cutLeaves(openSpans, event.at);
  return span;
}

function closeSiblings(openSpans: OpenSpans, event: EventFacts): void {
  const at = openSpans.containers.findIndex((open) => open.kind === event.kind);
  if (at === -1) return;
  for (const left of openSpans.containers.splice(at)) cut(left, event.at);
  cutLeaves(openSpans, event.at);
}

function cutLeaves(openSpans: OpenSpans, at: number): void {
  for (const leaf of [...openSpans.keyed.values(), ...openSpans.keyless]) {
    if (leaf.kind === "llm") cut(leaf, at);
  }
}

function cut(span: Span, at: number): void {
  if (span.state !== "open") return;
  span.state = "cut";
  span.endAt = Math.max(at, span.start.at);
}

/** Orchestration events follow the trace; `nestAgents` moves their spans by time. */
function addOrchestration(
  built: BuiltSpans,
  openByTrace: Map<string, OpenSpans>,
  event: EventFacts,
  agentId: string,
): void {
  const openSpans = openSpansOf(openByTrace, "orchestration");
  if (event.phase === "end") {
    const key = `${event.kind} ${event.key ?? ""}`;
    const open = openSpans.keyed.get(key);
    if (open !== undefined) {
      openSpans.keyed.delete(key);
      finish(open, event);
      return;
    }
  }
  const span = newSpan(event, agentId);
  if (event.phase === "end") span.end = event;
  built.roots.push(span);
  if (span.state !== "open") return;
  openSpans.keyed.set(`${event.kind} ${event.key ?? ""}`, span);
  if (event.kind === "agent" && !built.agents.has(agentId)) built.agents.set(agentId, span);
}

function attach(built: BuiltSpans, parent: Span | undefined, span: Span): void {
  span.parent = parent;
  if (parent === undefined) built.roots.push(span);
  else parent.children.push(span);
}

function isContainer(event: EventFacts): boolean {
  return event.kind === "turn" || event.kind === "run";
}

function openSpansOf(openByTrace: Map<string, OpenSpans>, key: string): OpenSpans {
  let openSpans = openByTrace.get(key);
  if (openSpans === undefined) {
    openSpans = {
      containers: [],
      keyed: new Map(),
      keyless: [],
      answering: undefined,
      latest: undefined,
      early: [],
    };
    openByTrace.set(key, openSpans);
  }
  return openSpans;
}
