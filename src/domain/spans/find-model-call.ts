import { buildSpans } from "./build-spans.js";
import type { EventFacts } from "./event-facts.js";
import { isModelCall, modelCallOf } from "./model-call-of.js";
import { type Span, walkSpans } from "./span.js";

/** A model call, among those of its agent. */
export interface FoundCall {
  readonly call: Span;
  /** All calls of the agent, in the order of the trace. */
  readonly calls: readonly Span[];
}

/**
 * The model call that an envelope began or ended, or that asked for the tool call that it began or ended; else the last one of its
 * agent before it.
 *
 * @param events at least those that begin or end something, in the order of the trace
 * @param agents those that are known to be no main agent
 * @param id of the envelope
 * @returns `undefined` where there is no such envelope among them, or no model call up to it
 */
export function findModelCall(
  events: readonly EventFacts[],
  agents: Iterable<string>,
  id: string,
): FoundCall | undefined {
  const { roots } = buildSpans(events, new Set(agents));
  const spans: Span[] = [];
  let asked: Span | undefined;
  walkSpans(roots, (span) => {
    spans.push(span);
    if (span.id === id || span.end?.id === id) asked ??= span;
  });
  const call = asked && modelCallOf(spans, asked);
  if (call === undefined) return undefined;
  return { call, calls: spans.filter((span) => isModelCall(span) && span.agentId === call.agentId) };
}
