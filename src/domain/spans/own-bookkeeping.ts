import type { BuiltSpans } from "./build-spans.js";
import { canOwn, insertByTime, type Span } from "./span.js";

/**
 * Attaches each bookkeeping record to the tool call or the event that it names, otherwise to the previous span of its agent (set by
 * `buildSpans`), otherwise to its agent. A record without any of them becomes a root like other events.
 *
 * @returns the attached records
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
