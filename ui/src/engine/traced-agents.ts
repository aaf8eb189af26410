import { addUsage, NO_USAGE } from "../../../src/domain/session/session.js";
import { type Span, spanUsage, walkSpans } from "../../../src/domain/spans/span.js";
import type { TracedAgent } from "./trace-protocol.js";

/** The sub-agents of a trace, each once, in the order of their beginnings. */
export function tracedAgents(roots: readonly Span[]): TracedAgent[] {
  const agents = new Map<string, TracedAgent>();
  walkSpans(roots, (span) => {
    if (span.kind === "agent" && !agents.has(span.agentId)) {
      const { id: spanId, agentId: id, name, totals, parent } = span;
      const callId = parent?.kind === "tool" ? parent.start.key : undefined;
      const askedBy = callId === undefined ? undefined : { callId, agentId: parent!.agentId };
      agents.set(id, { id, name: name || id, totals, usage: NO_USAGE, models: [], spanId, askedBy });
    }
    if (span.kind === "llm") addCall(agents, span);
  });
  return [...agents.values()];
}

/** Counts a model call for the agent that made it and those that it was spawned by. */
function addCall(agents: Map<string, TracedAgent>, span: Span): void {
  const usage = spanUsage(span) ?? NO_USAGE;
  const counted = new Set<string>();
  for (let at: Span | undefined = span; at !== undefined; at = at.parent) {
    const agent = agents.get(at.agentId);
    if (agent === undefined || counted.has(agent.id)) continue;
    counted.add(agent.id);
    agents.set(agent.id, { ...agent, usage: addUsage(agent.usage, usage) });
  }
  const own = agents.get(span.agentId);
  const model = span.end?.name ?? span.name;
  if (own === undefined || model === "" || own.models.includes(model)) return;
  agents.set(own.id, { ...own, models: [...own.models, model] });
}
