import type { EventFacts } from "./event-facts.js";
import { newSpan, type Span } from "./span.js";

/** The open spans of one agent in one trace, outermost first. */
interface Line {
  readonly containers: Span[];
  /** Open leaves by kind and key; those without a key in the order in which they began. */
  readonly keyed: Map<string, Span>;
  readonly keyless: Span[];
}

export interface BuiltSpans {
  /** Spans without a parent of the same agent, in the order of the trace. */
  readonly roots: Span[];
  readonly agents: Map<string, Span>;
  /** Tool calls by their id: the parents of sub-agents. */
  readonly toolCalls: Map<string, Span>;
}

/**
 * Pairs starts with ends and nests what runs inside a turn, agent by agent. Nothing is dropped: an end without a start
 * becomes a point, a start without an end stays open.
 *
 * @param events in the order of the answer, which is that of `sequence`
 * @param subAgents the agents that are known to be no main agent
 */
export function buildSpans(events: readonly EventFacts[], subAgents: ReadonlySet<string>): BuiltSpans {
  const lines = new Map<string, Line>();
  const built: BuiltSpans = { roots: [], agents: new Map(), toolCalls: new Map() };
  for (const event of events) {
    const agentId = agentOf(event, subAgents);
    if (event.source === "orchestration") {
      addOrchestration(built, lines, event, agentId);
      continue;
    }
    const line = lineOf(lines, `${agentId} ${event.traceId}`);
    if (event.phase === "end" && event.kind !== "session") endSpan(built, line, event, agentId);
    else addSpan(built, line, event, agentId);
  }
  return built;
}

/** `""` for the main agent, whatever id its own events give it. */
function agentOf(event: EventFacts, subAgents: ReadonlySet<string>): string {
  const id = event.agentId;
  if (id === undefined) return subAgents.has(event.traceId) ? event.traceId : "";
  return subAgents.has(id) || id === event.traceId || event.source === "orchestration" ? id : "";
}

function addSpan(built: BuiltSpans, line: Line, event: EventFacts, agentId: string): void {
  const span = newSpan(event, agentId);
  if (event.kind === "session") span.state = "point";
  // A turn or run that begins while another is open ends the other, whose end was not recorded.
  if (isContainer(event) && event.phase === "start") closeSiblings(line, event);
  attach(built, line.containers.at(-1), span);
  if (span.state !== "open") return;
  if (isContainer(event)) line.containers.push(span);
  else if (event.key === undefined) line.keyless.push(span);
  else line.keyed.set(`${event.kind} ${event.key}`, span);
  if (event.kind === "tool" && event.key !== undefined) built.toolCalls.set(event.key, span);
}

function endSpan(built: BuiltSpans, line: Line, event: EventFacts, agentId: string): void {
  const span = isContainer(event) ? popContainer(line, event) : popLeaf(line, event);
  if (span === undefined) {
    const orphan = newSpan(event, agentId);
    orphan.end = event;
    attach(built, line.containers.at(-1), orphan);
    return;
  }
  finish(span, event);
}

function finish(span: Span, event: EventFacts): void {
  span.end = event;
  span.state = "done";
  span.endAt = Math.max(event.at, span.start.at);
}

function popLeaf(line: Line, event: EventFacts): Span | undefined {
  if (event.key !== undefined) {
    const key = `${event.kind} ${event.key}`;
    const span = line.keyed.get(key);
    line.keyed.delete(key);
    if (span !== undefined) return span;
  }
  const at = line.keyless.findLastIndex(
    (open) => open.kind === event.kind && open.name === (event.name ?? open.name),
  );
  return at === -1 ? undefined : line.keyless.splice(at, 1)[0];
}

function popContainer(line: Line, event: EventFacts): Span | undefined {
  const fits = (open: Span) => open.kind === event.kind;
  let at = line.containers.findLastIndex((open) => fits(open) && open.start.key === event.key);
  if (at === -1) at = line.containers.findLastIndex(fits);
  if (at === -1) return undefined;
  const [span, ...inner] = line.containers.splice(at);
  for (const left of inner) cut(left, event.at);
  cutLeaves(line, event.at);
  return span;
}

function closeSiblings(line: Line, event: EventFacts): void {
  const at = line.containers.findIndex((open) => open.kind === event.kind);
  if (at === -1) return;
  for (const left of line.containers.splice(at)) cut(left, event.at);
  cutLeaves(line, event.at);
}

function cutLeaves(line: Line, at: number): void {
  for (const leaf of [...line.keyed.values(), ...line.keyless]) {
    if (leaf.kind === "llm") cut(leaf, at);
  }
}

function cut(span: Span, at: number): void {
  if (span.state !== "open") return;
  span.state = "cut";
  span.endAt = Math.max(at, span.start.at);
}

/** Orchestration events are stored after the trace; `nestAgents` puts their spans in place by time. */
function addOrchestration(
  built: BuiltSpans,
  lines: Map<string, Line>,
  event: EventFacts,
  agentId: string,
): void {
  const line = lineOf(lines, "orchestration");
  if (event.phase === "end") {
    const key = `${event.kind} ${event.key ?? ""}`;
    const open = line.keyed.get(key);
    if (open !== undefined) {
      line.keyed.delete(key);
      finish(open, event);
      return;
    }
  }
  const span = newSpan(event, agentId);
  if (event.phase === "end") span.end = event;
  built.roots.push(span);
  if (span.state !== "open") return;
  line.keyed.set(`${event.kind} ${event.key ?? ""}`, span);
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

function lineOf(lines: Map<string, Line>, key: string): Line {
  let line = lines.get(key);
  if (line === undefined) {
    line = { containers: [], keyed: new Map(), keyless: [] };
    lines.set(key, line);
  }
  return line;
}
