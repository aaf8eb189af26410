import { buildSpansInSteps } from "./build-spans.js";
import type { EventFacts } from "./event-facts.js";
import { nestAgents } from "./nest-agents.js";
import { ownBookkeeping } from "./own-bookkeeping.js";
import { placeSteps } from "./place-steps.js";
import { addTotals, type Span } from "./span.js";

/**
 * Pauses, because there may be a hundred thousand events.
 * @param events in trace order
 */
export function* spanTree(events: readonly EventFacts[]): Generator<void, readonly Span[]> {
  const built = yield* buildSpansInSteps(events, spawnedAgents(events));
  yield;
  placeSteps(built);
  yield;
  ownBookkeeping(built);
  yield;
  const roots = nestAgents(built);
  yield;
  addTotals(roots);
  return roots;
}

export function spawnedAgents(events: readonly EventFacts[]): Set<string> {
  const agents = new Set<string>();
  for (const { kind, phase, agentId, source } of events)
    if (source === "orchestration" && kind === "agent" && phase === "start" && agentId) agents.add(agentId);
  return agents;
}
