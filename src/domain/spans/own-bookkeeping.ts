import type { BuiltSpans } from "./build-spans.js";
import { canOwn, insertByTime, type Span } from "./span.js";

/**
 * Owner of a record: the tool call or event that it names, else the previous span of its agent, else its agent. A record without an owner
 * becomes a root.
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

function ownerOf(span: Span | undefined): Span | undefined {
  for (let at = span; at !== undefined; at = at.parent) if (canOwn(at)) return at;
  return undefined;
}
