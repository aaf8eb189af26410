import type { BuiltSpans } from "./build-spans.js";
import { canOwn, insertByTime, type Span } from "./span.js";

/**
 * Hangs each record of bookkeeping on the tool call or the event that it names, else on the span before it in its agent, which
 * `buildSpans` made its parent, else on its agent. What has none of them becomes a root like any other event.
 *
 * @returns the records that hang on a span
 */
export function ownBookkeeping({ bookkeeping, roots, agents, toolCalls, named }: BuiltSpans): Set<Span> {
  const owned = new Set<Span>();
  for (const record of bookkeeping) {
    const { toolCallId = "", stepId = "" } = record.start.bookkeeping ?? {};
    const owner =
      toolCalls.get(toolCallId) ?? ownerOf(named.get(stepId)) ?? record.parent ?? agents.get(record.agentId);
    record.parent = owner;
    if (owner === undefined) insertByTime(roots, record);
    else {
      owner.bookkeeping.push(record);
      owned.add(record);
    }
  }
  return owned;
}

/** The span itself or the innermost one that it lies in, as far as bookkeeping can belong to it. */
function ownerOf(span: Span | undefined): Span | undefined {
  for (let at = span; at !== undefined; at = at.parent) if (canOwn(at)) return at;
  return undefined;
}
