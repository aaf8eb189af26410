import { buildSpans } from "../spans/build-spans.js";
import type { EventFacts } from "../spans/event-facts.js";
import { type Span, spanUsage, walkSpans } from "../spans/span.js";
import { contextTokens } from "../usage/token-counts.js";
import type { TracedCall } from "./call-matches.js";

export interface ModelCallSpan {
  readonly call: Span;
  /** All calls of the agent, in trace order. */
  readonly calls: readonly Span[];
}

/**
 * Finds the call that the envelope began or ended, or that requested its tool call; otherwise the previous call of its agent.
 * @param events in trace order; at least all starts and ends
 * @param id of the envelope
 * @returns `undefined` without such an envelope, or without a call up to it
 */
export function findModelCall(
  events: readonly EventFacts[],
  agents: Iterable<string>,
  id: string,
): ModelCallSpan | undefined {
  const { roots } = buildSpans(events, new Set(agents));
  const spans: Span[] = [];
  let request: Span | undefined;
  walkSpans(roots, (span) => {
    spans.push(span);
    if (span.id === id || span.end?.id === id) request ??= span;
  });
  const call = request && modelCallOf(spans, request);
  if (call === undefined) return undefined;
  return { call, calls: spans.filter((span) => isModelCall(span) && span.agentId === call.agentId) };
}

/**
 * Finds the step itself, its surrounding call, or the call that requested it; otherwise the last started call of its agent.
 * @param spans in any order
 * @param isLast filter for that last call. Default is true for every call
 */
export function modelCallOf(
  spans: Iterable<Span>,
  span: Span,
  isLast: (call: Span) => boolean = () => true,
): Span | undefined {
  let last: Span | undefined;
  for (const call of spans) {
    if (!isModelCall(call) || call.agentId !== span.agentId) continue;
    if (call === span || call === span.parent || call.calls?.includes(span)) return call;
    const isLater = last === undefined || call.start.index > last.start.index;
    if (call.start.at <= span.start.at && isLater && isLast(call)) last = call;
  }
  return last;
}

export function isModelCall({ kind, start }: Span): boolean {
  return kind === "llm" && start.phase !== "point";
}

export function tracedCall(span: Span): TracedCall {
  const usage = spanUsage(span);
  return {
    spanId: span.id,
    at: span.start.at,
    tokens: usage === undefined ? undefined : contextTokens(usage),
    // Some writers use the id of the answer as the id of the call.
    messageId: span.end?.messageId ?? span.start.messageId ?? span.start.key,
  };
}
