import type { SessionSteps } from "./session-steps.js";

/** @returns how many times the context of an agent had been compacted before an instant */
export function compactionsBefore({
  compactions,
}: SessionSteps): (agentId: string, instant: number) => number {
  const ends = new Map<string, number[]>();
  for (const { agentId, endAt } of compactions) {
    const known = ends.get(agentId);
    if (known === undefined) ends.set(agentId, [endAt]);
    else known.push(endAt);
  }
  for (const instants of ends.values()) instants.sort((a, b) => a - b);
  return (agentId, instant) => {
    const instants = ends.get(agentId) ?? [];
    let low = 0;
    let high = instants.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (instants[middle]! <= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
