import { type AddressQuery, changeQuery, type SessionTab } from "../../model/address/address.js";
import { lastJobFailed } from "../../model/agents/agent-forest.js";
import { type NextIndex, nextIndex } from "../../model/lists/next-index.js";
import type { OpenSession } from "./open-session.js";

/** `index` counts among the errors of that view. */
export interface ErrorLocation extends NextIndex {
  readonly tab: SessionTab;
  /** `undefined` if there is no further error. */
  readonly query: AddressQuery | undefined;
}

/**
 * Views define errors: failed agents, or failed tool calls among messages. The trace displays all; a view without errors leads to it.
 * @param around true to continue at the other end
 */
export function findError(
  session: OpenSession,
  tab: SessionTab,
  query: AddressQuery,
  step: 1 | -1,
  around: boolean,
): ErrorLocation {
  const inView = tab === "agents" ? inAgents : tab === "messages" ? inMessages : undefined;
  const location = inView?.(session, query, step, around);
  if (location !== undefined && location.of > 0) return location;
  const { id, ...next } = session.trace.findError(query.event, step, around);
  // In the trace, another view's agent would be a filter.
  const visible = { event: id, ...(tab === "trace" ? {} : { agent: "" }) };
  return { ...next, tab: "trace", query: id === undefined ? undefined : changeQuery(query, visible) };
}

function inAgents(session: OpenSession, query: AddressQuery, step: 1 | -1, around: boolean): ErrorLocation {
  const { agents } = session;
  const failed = [...agents.keys()].filter((at) => lastJobFailed(agents[at]!));
  const here = agents.findIndex(({ agentId }) => agentId === query.agent);
  const next = nextIndex(failed, here, step, around);
  const agent = next.index === undefined ? undefined : agents[next.index];
  return { ...next, tab: "agents", query: agent && changeQuery(query, { agent: agent.agentId }) };
}

function inMessages(session: OpenSession, query: AddressQuery, step: 1 | -1, around: boolean): ErrorLocation {
  const { call, at } = query;
  const target = call === undefined ? { messageIndex: Number(at ?? -1) } : { callId: call };
  const here = call === undefined && at === undefined ? -1 : session.conversation.messages.locate(target);
  const next = nextIndex(session.conversation.messages.failedIndexes(), here, step, around);
  const entry =
    next.index === undefined
      ? undefined
      : session.conversation.messages.entries(next.index, next.index + 1)[0];
  const visible = entry?.callId
    ? { call: entry.callId, at: "" }
    : { call: "", at: String(entry?.messageIndex) };
  return { ...next, tab: "messages", query: entry && changeQuery(query, { ...visible, hit: "" }) };
}
