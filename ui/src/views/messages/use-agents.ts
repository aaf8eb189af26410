import { useMemo } from "react";
import type { TracedAgent } from "../../engine/trace-protocol.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address.js";
import { STRINGS } from "../../strings/strings.js";

export type AskedAgent = Pick<TracedAgent, "id" | "name">;

const NONE: readonly AskedAgent[] = [];

export function useAskedAgents(agents: readonly TracedAgent[]): (callId: string) => readonly AskedAgent[] {
  // Each state has new lists: redraws rows only if their own list has changed.
  const key = JSON.stringify(agents.map(({ id, name, askedBy }) => [id, name, askedBy?.callId]));
  const byCall = useMemo(() => {
    const asked = new Map<string, AskedAgent[]>();
    for (const [id, name, callId] of JSON.parse(key) as [string, string, string | null][]) {
      if (callId === null) continue;
      const known = asked.get(callId);
      if (known === undefined) asked.set(callId, [{ id, name }]);
      else known.push({ id, name });
    }
    return asked;
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
  const askedBy = agents.find(({ id }) => id === agentId)?.askedBy;
  if (agentId === "" || askedBy === undefined) return undefined;
  const { callId, agentId: agent } = askedBy;
  return {
    name: agents.find(({ id }) => id === agent)?.name ?? STRINGS.trace.mainAgent,
    address: sessionAddress(route, "messages", changeQuery({}, { agent, call: callId })),
  };
}
