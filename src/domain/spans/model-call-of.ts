import type { TracedCall } from "../conversation/context-calls.js";
import { contextTokens } from "../usage/token-counts.js";
import { type Span, spanUsage } from "./span.js";

/**
 * The model call that a step is, is a part of, or was asked for by; else the last one of its agent that had begun.
 *
 * @param spans in the order of the trace
 * @param isLast whether a call may be that last one. Default is that any may
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
    if (call.start.at <= span.start.at && isLast(call)) last = call;
  }
  return last;
}

export function isModelCall({ kind, start }: Span): boolean {
  return kind === "llm" && start.phase !== "point";
}

/** What ties a model call to a conversation. */
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
