import type { BuiltSpans } from "./build-spans.js";
import { insertByTime, newSpan, type Span } from "./span.js";

/**
 * Puts each sub-agent under the tool call or step that spawned it, otherwise under the parent agent's turn or run at that time.
 * @returns the roots, in order
 */
export function nestAgents({ roots, agents, toolCalls, steps }: BuiltSpans): Span[] {
  const main: Span[] = [];
  const jobCalls = callsOfJobs(roots, toolCalls);
  for (const span of roots) {
    const agent = agents.get(span.agentId);
    const stray = agent === undefined && span.start.source === "orchestration";
    if (span.agentId === "" || agent === span || stray) main.push(span);
    else putUnderAgent(agents, span, main);
  }
  const runtime: Span[] = [];
  const orchestration: Span[] = [];
  const agentSpans: Span[] = [];
  for (const span of main) {
    if (agents.get(span.agentId) === span) agentSpans.push(span);
    else if (span.start.source === "orchestration") orchestration.push(span);
    else runtime.push(span);
  }
  const top = mergeByTime(runtime, orchestration);
  for (const agent of agentSpans) {
    const call = toolCalls.get(agent.start.toolCallId ?? "") ?? jobCalls.get(agent.agentId);
    const step = steps.get(agent.start.parentSpanId ?? "");
    const parentSpan = call ?? step ?? parentByTime(agent, agents.get(agent.start.parentAgentId ?? ""), top);
    if (parentSpan === undefined || isWithin(parentSpan, agent)) insertByTime(top, agent);
    else {
      agent.parent = parentSpan;
      insertByTime(parentSpan.children, agent);
    }
  }
  for (const agent of agents.values()) extendToChildren(agent);
  return top;
}

/** A sub-agent without orchestration events gets a span from its first event. */
function putUnderAgent(agents: Map<string, Span>, span: Span, main: Span[]): void {
  let agent = agents.get(span.agentId);
  if (agent === undefined) {
    agent = newSpan({ ...span.start, phase: "start" }, span.agentId, "agent");
    agent = { ...agent, id: `agent:${span.agentId}`, name: span.agentId, state: "cut" };
    agents.set(span.agentId, agent);
    main.push(agent);
  }
  span.parent = agent;
  insertByTime(agent.children, span);
}

function callsOfJobs(roots: readonly Span[], toolCalls: ReadonlyMap<string, Span>): Map<string, Span> {
  const calls = new Map<string, Span>();
  for (const span of roots) {
    if (span.kind !== "job") continue;
    const call = toolCalls.get(span.start.toolCallId ?? "");
    if (call !== undefined && !calls.has(span.agentId)) calls.set(span.agentId, call);
  }
  return calls;
}

function parentByTime(agent: Span, parent: Span | undefined, top: readonly Span[]): Span | undefined {
  let siblings = parent === undefined || parent === agent ? top : parent.children;
  let parentSpan = parent === agent ? undefined : parent;
  const wentOn = (span: Span) =>
    span.start.source !== "orchestration" &&
    span.start.at <= agent.start.at &&
    (span.state === "open" || agent.start.at <= span.endAt);
  let isInTurn = false;
  for (;;) {
    const turn = siblings.find((span) => isTurn(span) && wentOn(span));
    isInTurn ||= turn !== undefined;
    const inner = turn ?? (isInTurn ? undefined : siblings.find((span) => isHolder(span) && wentOn(span)));
    if (inner === undefined) return parentSpan;
    parentSpan = inner;
    siblings = inner.children;
  }
}

const isTurn = ({ kind }: Span) => kind === "turn" || kind === "run";
const isHolder = ({ kind, children }: Span) => kind === "span" && children.length > 0;

function isWithin(span: Span, ancestor: Span): boolean {
  for (let at: Span | undefined = span; at !== undefined; at = at.parent) if (at === ancestor) return true;
  return false;
}

function extendToChildren(agent: Span): void {
  if (agent.state === "done") return;
  for (const child of agent.children) agent.endAt = Math.max(agent.endAt, child.endAt);
}

/** Neither order changes. */
function mergeByTime(runtime: readonly Span[], orchestration: readonly Span[]): Span[] {
  const merged: Span[] = [];
  let next = 0;
  for (const span of runtime) {
    while (next < orchestration.length && orchestration[next]!.start.at < span.start.at) {
      merged.push(orchestration[next++]!);
    }
    merged.push(span);
  }
  return merged.concat(orchestration.slice(next));
}
