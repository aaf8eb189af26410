import { useMemo } from "react";
import type { TracedAgent } from "../../engine/trace/trace-protocol.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";

export type RequestedAgent = Pick<TracedAgent, "id" | "name">;

const NONE: readonly RequestedAgent[] = [];

export function useRequestedAgents(
  agents: readonly TracedAgent[],
): (callId: string) => readonly RequestedAgent[] {
  // Each state has new lists: redraws rows only if their own list has changed.
  const key = JSON.stringify(agents.map(({ id, name, requestedBy }) => [id, name, requestedBy?.callId]));
  const byCall = useMemo(() => {
    const agentsByCall = new Map<string, RequestedAgent[]>();
    for (const [id, name, callId] of JSON.parse(key) as [string, string, string | null][]) {
      if (callId === null) continue;
      const existing = agentsByCall.get(callId);
      if (existing === undefined) agentsByCall.set(callId, [{ id, name }]);
      else existing.push({ id, name });
    }
    return agentsByCall;
  }, [key]);
  return (callId) => (callId === "" ? NONE : (byCall.get(callId) ?? NONE));
}

export interface Prompter {
  readonly name: string;
  readonly address: string;
}

/** @returns `undefined` for the main agent, or if not recorded */
export function prompterOf(
  agentId: string,
  agents: readonly TracedAgent[],
  route: SessionRoute,
): Prompter | undefined {
  const requestedBy = agents.find(({ id }) => id === agentId)?.requestedBy;
  if (agentId === "" || requestedBy === undefined) return undefined;
  const { callId, agentId: agent } = requestedBy;
  return {
    name: agents.find(({ id }) => id === agent)?.name ?? STRINGS.trace.mainAgent,
    address: sessionAddress(route, "messages", changeQuery({}, { agent, call: callId })),
  };
}
